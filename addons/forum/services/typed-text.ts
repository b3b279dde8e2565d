import { looksLikeHtml } from 'pergola/kernel';
import { htmlFromMarkdown } from './markdown.ts';

/**
 * HTML of what was typed or pasted into a plain box: HTML as it is, Markdown otherwise. It still has to be sanitised.
 *
 * @param linkify makes links of plain addresses, for those who may write links
 */
export function htmlFromTyped(text: string, linkify: boolean): string {
  const typed = text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  return looksLikeHtml(typed) ? typed.trim() : htmlFromMarkdown(typed, { linkify });
}
