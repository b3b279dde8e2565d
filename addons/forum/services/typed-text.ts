import { looksLikeHtml } from 'pergola/kernel';
import { htmlFromMarkdown } from './markdown.ts';

/**
 * Converts plain or pasted text to HTML: HTML is kept, anything else is parsed as Markdown. The result must still be sanitised.
 *
 * @param linkify links plain URLs, for users who may write links
 */
export function htmlFromTyped(text: string, linkify: boolean): string {
  const content = text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  return looksLikeHtml(content) ? content.trim() : htmlFromMarkdown(content, { linkify });
}
