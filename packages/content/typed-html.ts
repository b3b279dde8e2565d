const blocks = /^(p|div|ul|ol|dl|h[1-6]|blockquote|pre|table|hr|section|article|figure|details)$/;
const voids = /^(hr|br|img|wbr)$/;
const tag = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])(?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;

/**
 * Whether text from a plain field is HTML, as written by an editor or a program: it starts with a block element and has no words outside
 * closed elements. In all other text, `a<b>c` is meant literally.
 */
export function looksLikeHtml(text: string): boolean {
  // Indented lines are code in Markdown.
  const html = text.replace(/^(?:[ \t]*\r?\n)+/, '').replace(/^ {1,3}(?=<)/, '');
  if (!blocks.test(/^<([a-z][a-z0-9]*)/i.exec(html)?.[1]?.toLowerCase() ?? '')) return false;
  let outer = '';
  let depth = 0;
  let end = 0;
  for (const { 0: tagText, 1: slash, 2: name = '', index } of html.matchAll(tag)) {
    const element = name.toLowerCase();
    if (depth === 0) {
      if (slash || html.slice(end, index).trim() !== '') return false;
      if (!voids.test(element)) [outer, depth] = [element, 1];
    } else if (element === outer) depth += slash ? -1 : 1;
    end = index + tagText.length;
  }
  return depth === 0 && end > 0 && html.slice(end).trim() === '';
}
