const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);

/**
 * Returns an address that is safe for a link, or undefined. Paths, queries and anchors are safe, and absolute addresses of pages, mailboxes
 * and phone numbers. Parsed like browsers do: tabs and line breaks are removed before the scheme is checked.
 */
export function safeUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  // Fast path for plain paths of this site.
  if (/^\/[!-~]*$/.test(text)) return text;
  const url = text
    .replace(/[\t\n\r]/g, '')
    .replace(/^[\p{Cc}\p{Cf}\p{Z}]+/u, '')
    .trimEnd();
  const scheme = /^([^/?#:]*):/.exec(url)?.[1];
  return scheme === undefined || schemes.has(scheme.toLowerCase()) ? url : undefined;
}

/** Whether an address is a path on this site: `/shop`, but not `//elsewhere` or its equivalents in browsers. */
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

/** Escapes text for a double-quoted attribute. Unlike Handlebars' own escaping it keeps `=` readable in addresses. */
export function escapeAttribute(text: string): string {
  return /[&<>"'`]/.test(text)
    ? text.replace(/[&<>"'`]/g, (character) => attributeCodes[character] ?? character)
    : text;
}
