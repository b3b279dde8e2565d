import { escapeHtml } from '@pergola/content';

const impossible = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/**
 * Text for an element or attribute of XML, without characters that XML can't contain in any form: control characters, unpaired surrogates.
 */
export function xmlText(text: string): string {
  return escapeHtml(text.toWellFormed().replace(impossible, ''));
}
