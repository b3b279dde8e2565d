import type { Ctx } from 'pergola';
import { ownText } from 'pergola/pages';
import type { Delimiter, Encoding } from './table.ts';

/** Labels of encodings and delimiters of text files in the user's language, in display order. */
export interface SourceLabels {
  readonly encodings: readonly (readonly [value: Encoding, label: string])[];
  readonly delimiters: readonly (readonly [value: Delimiter, label: string])[];
}

/** Returns the labels of the options for reading a text file. */
export function sourceLabels(ctx: Ctx): SourceLabels {
  const t = (text: string): string => ownText(ctx, 'web', text);
  return {
    encodings: [
      ['utf-8', 'UTF-8'],
      ['utf-16le', 'UTF-16 LE'],
      ['utf-16be', 'UTF-16 BE'],
      ['windows-1252', t('Windows-1252 (Western Europe)')],
      ['windows-1250', t('Windows-1250 (Central Europe)')],
      ['macintosh', t('Mac Roman (old Macs)')],
      ['shift_jis', t('Shift JIS (Japanese)')],
    ],
    delimiters: [
      [';', t('Semicolon')],
      [',', t('Comma')],
      ['\t', t('Tab')],
      ['|', t('Vertical bar')],
    ],
  };
}
