import { mailBody } from '@pergola/mail';

/**
 * Extracts the paragraphs of a rendered email for an editor, without its tables and buttons, which are added again on sending.
 *
 * @param greetingOnly keeps only the first paragraph
 */
export function letterText(html: string, greetingOnly: boolean): string {
  const paragraphs = mailBody(html)
    .replace(/<table[\s\S]*?<\/table>/g, '')
    .replace(/<p style="margin:24px 0">[\s\S]*?<\/p>/g, '')
    .replace(/>\s+</g, '><')
    .trim();
  return greetingOnly ? (/^<p>.*?<\/p>/s.exec(paragraphs)?.[0] ?? '') : paragraphs;
}
