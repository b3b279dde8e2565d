import { escapeHtml } from 'pergola';

/** What may stand in a mailing between double braces, `{{name}}`, or `{{name|friend}}` with what is written where there is none. */
const MERGE_FIELDS = [
  'name',
  'first_name',
  'email',
  'lists',
  'unsubscribe_url',
  'preferences_url',
  'view_url',
] as const;

/** What fields stand for, for one recipient; also `open_url` and `link_<id>`, which only the compiler writes. */
export type MergeValues = Readonly<Record<string, string>>;

/** A mail in one language, ready but for its fields. */
export interface Compiled {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** How a value is written where it stands. */
type Writing = 'header' | 'text' | 'html' | 'address';

const FIELD = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;
const known: ReadonlySet<string> = new Set(MERGE_FIELDS);

/** The first field of a text that is none, as it stands there; null when all are known. */
export function compileProblems(text: string): string | null {
  for (const [whole, name = ''] of text.matchAll(FIELD)) if (!known.has(name.trim())) return whole.slice(0, 60);
  return null;
}

/**
 * Prepares a text with fields: answers a function that fills them in. Nothing of a value is ever read as a field or as markup. In HTML, values
 * in addresses are written for addresses.
 */
export function prepareMerge(text: string, writing: 'header' | 'text' | 'html'): (values: MergeValues) => string {
  const parts: (string | { readonly name: string; readonly fallback: string; readonly writing: Writing })[] = [];
  let at = 0;
  for (const match of text.matchAll(FIELD)) {
    const [whole, written = '', fallback = ''] = match;
    const name = written.trim();
    const before = text.slice(at, match.index);
    parts.push(before);
    const inAddress =
      writing === 'html' && /\s(?:href|src)="[^"]*$/i.test(text.slice(Math.max(0, match.index - 2_000), match.index));
    // A fallback in HTML was written as HTML.
    parts.push({
      name,
      fallback: writing === 'html' ? plainText(fallback.trim()) : fallback.trim(),
      writing: inAddress && !isAddress(name) ? 'address' : writing,
    });
    at = match.index + whole.length;
  }
  parts.push(text.slice(at));
  return (values) =>
    parts
      .map((part) => (typeof part === 'string' ? part : write[part.writing](values[part.name] || part.fallback)))
      .join('');
}

/** Addresses that this site makes, whole. */
function isAddress(name: string): boolean {
  return name.endsWith('_url') || name.startsWith('link_');
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

const write: Readonly<Record<Writing, (value: string) => string>> = {
  header: oneLine,
  text: oneLine,
  html: escapeHtml,
  address: (value) => escapeHtml(encodeURIComponent(value.toWellFormed())),
};

function plainText(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&amp;', '&');
}
