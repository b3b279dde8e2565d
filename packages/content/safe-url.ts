const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);

/**
 * An address a link may lead to, or undefined. Paths, queries and anchors are harmless; of absolute addresses those to pages, mail boxes and
 * telephones are. Read as browsers read them: tabs and line breaks are dropped before the scheme is looked at.
 */
export function safeUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const given = String(value);
  // Most are plain paths of this site.
  if (/^\/[!-~]*$/.test(given)) return given;
  const url = given
    .replace(/[\t\n\r]/g, '')
    .replace(/^[\p{Cc}\p{Cf}\p{Z}]+/u, '')
    .trimEnd();
  const scheme = /^([^/?#:]*):/.exec(url)?.[1];
  return scheme === undefined || schemes.has(scheme.toLowerCase()) ? url : undefined;
}

/** Whether an address is a path on this site: `/shop`, and neither `//elsewhere` nor what browsers take for it. */
export function isSitePath(url: string): boolean {
  return /^\/(?![/\\])/.test(url);
}

const attributeCodes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** A text for between double quotes of an attribute. Unlike Handlebars' own escaping it leaves `=` readable in addresses. */
export function escapeAttribute(text: string): string {
  return /[&<>"'`]/.test(text)
    ? text.replace(/[&<>"'`]/g, (character) => attributeCodes[character] ?? character)
    : text;
}
