import { looksLikeHtml } from './text-kind.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/**
 * What somebody typed into a plain box as HTML: HTML stays what it is (it is sanitised when it is kept), everything else is read as the simple
 * Markdown that people use (paragraphs, lists, quotes, code, emphasis, links).
 */
export function htmlFromTyped(text: string): string {
  const typed = text.replaceAll('\r\n', '\n').trim();
  if (typed === '' || looksLikeHtml(typed)) return typed;
  return blocks(typed.split('\n'));
}

/** So deep quotes of quotes are shown as such; what is deeper is text. */
const DEEPEST = 8;

function blocks(lines: readonly string[], depth = 0): string {
  const html: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const { made, next } = oneBlock(lines, at, depth);
    if (made !== '') html.push(made);
    at = next;
  }
  return html.join('');
}

/** A block that begins at a line, and the line after it. */
function oneBlock(lines: readonly string[], at: number, depth: number): { made: string; next: number } {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { made: '', next: at + 1 };
  if (/^\s*(```|~~~)/.test(line)) return fenced(lines, at);
  const heading = /^(#{1,6})\s+(\S.*)$/.exec(line);
  if (heading) {
    const level = Math.min(6, Math.max(3, (heading[1] ?? '').length + 2));
    return { made: `<h${level}>${inline(withoutMarksAtEnd(heading[2] ?? ''))}</h${level}>`, next: at + 1 };
  }
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return { made: '<hr>', next: at + 1 };
  if (depth < DEEPEST && /^\s*>/.test(line)) return quoted(lines, at, depth);
  if (/^\s*[-*+]\s+/.test(line)) return listed(lines, at, /^\s*[-*+]\s+/, 'ul');
  if (/^\s*\d{1,9}[.)]\s+/.test(line)) return listed(lines, at, /^\s*\d{1,9}[.)]\s+/, 'ol');
  return paragraph(lines, at);
}

/** The first line after these that does not fit. */
function endOf(lines: readonly string[], at: number, fits: (line: string) => boolean): number {
  let next = at;
  while (next < lines.length && fits(lines[next] ?? '')) next++;
  return next;
}

/** A heading may be closed by the marks it begins with. */
function withoutMarksAtEnd(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trimEnd();
}

function fenced(lines: readonly string[], at: number): { made: string; next: number } {
  const end = endOf(lines, at + 1, (line) => !/^\s*(```|~~~)\s*$/.test(line));
  return { made: `<pre><code>${escaped(lines.slice(at + 1, end).join('\n'))}</code></pre>`, next: end + 1 };
}

function quoted(lines: readonly string[], at: number, depth: number): { made: string; next: number } {
  const end = endOf(lines, at, (line) => /^\s*>/.test(line));
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s*>\s?/, ''));
  return { made: `<blockquote>${blocks(inner, depth + 1)}</blockquote>`, next: end };
}

function listed(lines: readonly string[], at: number, mark: RegExp, tag: 'ul' | 'ol'): { made: string; next: number } {
  const end = endOf(lines, at, (line) => mark.test(line));
  const items = lines.slice(at, end).map((line) => `<li>${inline(line.replace(mark, ''))}</li>`);
  return { made: `<${tag}>${items.join('')}</${tag}>`, next: end };
}

function paragraph(lines: readonly string[], at: number): { made: string; next: number } {
  const begins = /^\s*(```|~~~|>|#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s)/;
  const end = endOf(lines, at + 1, (line) => line.trim() !== '' && !begins.test(line));
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

/** All parts have bounds, so that no text, whatever it holds, takes long to read. */
function emphasis(text: string): string {
  return text
    .replace(/!\[([^[\]]{0,300})\]\((https?:\/\/[^\s)]{1,2000}|\/[^\s)]{0,2000})\)/g, '<img src="$2" alt="$1">')
    .replace(
      /\[([^[\]]{1,300})\]\((https?:\/\/[^\s)]{1,2000}|\/[^\s)]{0,2000}|mailto:[^\s)]{1,300})\)/g,
      '<a href="$2">$1</a>',
    )
    .replace(/\*\*(?=\S)(.{1,500}?)(?<=\S)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*(?=\S)([^*]{1,500}?)(?<=\S)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/(?<![\w_])_(?=\S)([^_]{1,500}?)(?<=\S)_(?![\w_])/g, '<em>$1</em>')
    .replace(/~~(?=\S)(.{1,500}?)(?<=\S)~~/g, '<del>$1</del>');
}
