import { app, type Ctx, InvalidInput } from '#core';
import type { FieldInfo } from '../../../backend/types.ts';
import type { Cell } from './read-file.ts';

/** What precedes the decimals of a number. */
export type DecimalSign = '.' | ',';

/** A language for each sign: files aren't written in the language of the user who imports them. */
const languages: Readonly<Record<DecimalSign, string>> = { '.': 'en_US', ',': 'de_DE' };

/** Reads a number of a file in plain notation. Throws InvalidInput if the field can't hold it, or it could be two numbers. */
export type NumberReader = (text: string, field: FieldInfo) => string;

/**
 * Reads the numbers of a column: `1,234.50`, `1.234,50 €`, `1 234,5`. `decimal` is the sign to assume if a text alone doesn't tell
 * ("1,250"); if null, such texts are refused.
 */
export function numberReader(ctx: Ctx, decimal: DecimalSign | null): NumberReader {
  return (text, field) => readNumber(ctx, text, field, decimal);
}

function readNumber(ctx: Ctx, text: string, { kind, places }: FieldInfo, decimal: DecimalSign | null): string {
  const formats = ctx.get(app.formats);
  const value = text.slice(0, 60);
  const sign = decimalSignOf(text) ?? decimal;
  const most = kind === 'integer' ? 0 : kind === 'decimal' ? (places ?? 6) : undefined;
  // Of a text that could be two numbers both are told, whether the field could hold them or not.
  const input = { currency: 'any', percent: true, places: sign === null ? undefined : most } as const;
  const readings = (sign === null ? (['.', ','] as const) : [sign]).map((each) =>
    formats.parseNumber(text, languages[each], input),
  );
  const [number, other] = new Set(readings.flatMap((reading) => (reading.problem ? [] : [reading.value])));
  if (number !== undefined && other !== undefined) {
    const [a = '', b = ''] = [number, other].map((each) =>
      formats.formatNumber(each, ctx.lang, { max: 6, group: false }),
    );
    throw new InvalidInput('“{value}” could be {a} or {b}. Choose which one the file means.', about({ value, a, b }));
  }
  if (number !== undefined) return number;
  const [{ problem } = { problem: 'format' }] = readings;
  if (problem === 'whole') throw new InvalidInput('“{value}” isn’t a whole number.', about({ value }));
  if (problem === 'decimals')
    throw new InvalidInput('“{value}” has too many decimals. Use at most {n}.', about({ value, n: most ?? 0 }));
  throw new InvalidInput('“{value}” isn’t a number. Use 1234.50 or 1234,50.', about({ value }));
}

function about(params: Readonly<Record<string, string | number>>) {
  return { code: 'web.import_value', params };
}

/** The decimal sign that the cells of a column agree on; null if none of them tells, or they differ. */
export function decimalSignIn(cells: readonly Cell[]): DecimalSign | null {
  const signs = new Set(cells.flatMap((cell) => (typeof cell === 'string' ? (decimalSignOf(cell) ?? []) : [])));
  const [sign] = signs;
  return sign !== undefined && signs.size === 1 ? sign : null;
}

/** The decimal sign that a number tells: "999,90" and "1.234.567" have a comma, "1,250" may have either. */
function decimalSignOf(text: string): DecimalSign | null {
  const signs = (text.match(/(?<=\d)[.,](?=\d)/g) ?? []) as DecimalSign[];
  const last = signs.at(-1);
  if (last === undefined) return null;
  const other = last === '.' ? ',' : '.';
  if (signs.filter((sign) => sign === last).length > 1) return other;
  const isOpen = signs.length === 1 && /(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?!\d)/.test(text);
  return isOpen ? null : last;
}
