/** A section of a page, linked from its sidebar. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: 1 | 2;
}

/** Adds an anchor id to every h1 and h2 of some HTML and returns the headings in order. Expects sanitized HTML. */
export function withHeadings(
  html: string,
  prefix: string,
): { readonly html: string; readonly headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const marked = html.replace(
    /<h([12])((?:\s[^>]*)?)>([\s\S]*?)<\/h\1>/gi,
    (match, level: string, attributes: string, inner: string) => {
      const text = plainText(inner);
      if (text === '') return match;
      const existingId = /\sid="([^"]+)"/.exec(attributes)?.[1];
      const id = existingId ?? `${prefix}-${headings.length + 1}`;
      headings.push({ id, text, level: level === '1' ? 1 : 2 });
      return existingId ? match : `<h${level} id="${id}"${attributes}>${inner}</h${level}>`;
    },
  );
  return { html: marked, headings };
}

function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
}

/** Splits a description into its first line, as the name, and the remaining lines. */
export function textOf(name: string): { readonly name: string; readonly more: readonly string[] } {
  const [first = '', ...more] = name.split(/\r?\n/);
  return { name: first, more: more.filter((line) => line.trim() !== '') };
}
