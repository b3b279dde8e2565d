const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** Whether a text was written as HTML: by an editor, or by a program. */
export function looksLikeHtml(text: string): boolean {
  return /<\/?(p|br|div|span|ul|ol|li|a|b|i|em|strong|code|pre|blockquote|h[1-6]|img|table|hr|s|u|del)\b[^<>]*>/i.test(
    text,
  );
}

/** Whether a text has marks that nobody types by chance. */
export function looksLikeMarkdown(text: string): boolean {
  return (
    /^(#{1,6}\s|\s*[-*+]\s+\S|\s*\d{1,3}[.)]\s+\S|>\s|```|~~~)/m.test(text) ||
    /\*\*\S[^*]*\*\*|`[^`\n]+`|\[[^\]\n]+\]\((https?:|\/)[^)\s]+\)/.test(text)
  );
}

/**
 * What somebody typed into a plain box as HTML: HTML stays what it is (it is sanitised when it is kept), everything else is read as the simple
 * Markdown that people use (paragraphs, lists, quotes, code, emphasis, links).
 */
export function htmlFromTyped(text: string): string {
  const typed = text.replaceAll('\r\n', '\n').trim();
  if (typed === '' || looksLikeHtml(typed)) return typed;
  return blocks(typed.split('\n'));
}

function blocks(lines: readonly string[]): string {
  const html: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const { made, next } = oneBlock(lines, at);
    if (made !== '') html.push(made);
    at = next;
  }
  return html.join('');
}

/** A block that begins at a line, and the line after it. */
function oneBlock(lines: readonly string[], at: number): { made: string; next: number } {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { made: '', next: at + 1 };
  if (/^\s*(```|~~~)/.test(line)) return fenced(lines, at);
  const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line);
  if (heading) {
    const level = Math.min(6, Math.max(3, (heading[1] ?? '').length + 2));
    return { made: `<h${level}>${inline(heading[2] ?? '')}</h${level}>`, next: at + 1 };
  }
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return { made: '<hr>', next: at + 1 };
  if (/^\s*>/.test(line)) return quoted(lines, at);
  if (/^\s*[-*+]\s+/.test(line)) return listed(lines, at, /^\s*[-*+]\s+/, 'ul');
  if (/^\s*\d{1,9}[.)]\s+/.test(line)) return listed(lines, at, /^\s*\d{1,9}[.)]\s+/, 'ol');
  return paragraph(lines, at);
}

function while_(lines: readonly string[], at: number, fits: (line: string) => boolean): number {
  let next = at;
  while (next < lines.length && fits(lines[next] ?? '')) next++;
  return next;
}

function fenced(lines: readonly string[], at: number): { made: string; next: number } {
  const end = while_(lines, at + 1, (line) => !/^\s*(```|~~~)\s*$/.test(line));
  return { made: `<pre><code>${escaped(lines.slice(at + 1, end).join('\n'))}</code></pre>`, next: end + 1 };
}

function quoted(lines: readonly string[], at: number): { made: string; next: number } {
  const end = while_(lines, at, (line) => /^\s*>/.test(line));
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s*>\s?/, ''));
  return { made: `<blockquote>${blocks(inner)}</blockquote>`, next: end };
}

function listed(lines: readonly string[], at: number, mark: RegExp, tag: 'ul' | 'ol'): { made: string; next: number } {
  const end = while_(lines, at, (line) => mark.test(line));
  const items = lines.slice(at, end).map((line) => `<li>${inline(line.replace(mark, ''))}</li>`);
  return { made: `<${tag}>${items.join('')}</${tag}>`, next: end };
}

function paragraph(lines: readonly string[], at: number): { made: string; next: number } {
  const begins = /^\s*(```|~~~|>|#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s)/;
  const end = while_(lines, at + 1, (line) => line.trim() !== '' && !begins.test(line));
  return { made: `<p>${lines.slice(at, end).map(inline).join('<br>')}</p>`, next: end };
}

/** Emphasis, code and links within a line. Code is taken out first: nothing in it is markup. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? `<code>${escaped(part.slice(1, -1))}</code>`
        : emphasis(escaped(part)),
    )
    .join('');
}

function emphasis(text: string): string {
  return text
    .replace(/!\[([^\]]*)\]\((https?:\/\/[^\s)]+|\/[^\s)]*)\)/g, '<img src="$2" alt="$1">')
    .replace(/\[([^\]]+)\]\((https?:\/\/[^\s)]+|\/[^\s)]*|mailto:[^\s)]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/g, '<em>$1</em>')
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, '<del>$1</del>');
}
