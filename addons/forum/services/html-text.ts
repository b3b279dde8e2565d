import { shortened } from '@pergola/website';
import type { Ctx } from 'pergola';

const pictures = /<(img|picture|video|audio|source)\b[^>]*>/gi;
const links = /<a\b[^>]*\bhref="([^"]*)"[^>]*>/gi;

/** URLs of links and images in sanitised HTML. */
export function addressesIn(html: string): Set<string> {
  return new Set([
    ...[...html.matchAll(links)].map(([, href]) => `a ${href}`),
    ...[...html.matchAll(pictures)].map(([tag]) => `img ${/\b(?:src|srcset|poster)="([^"]*)"/.exec(tag)?.[1] ?? tag}`),
  ]);
}

/** Whether HTML has no visible content. */
export function isBlank(html: string | null): boolean {
  if (html === null) return true;
  return !/<(img|hr|video|audio)\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|&#160;|\s/gi, '') === '';
}

/** Plain text of HTML, for emails, feeds and search engines. */
export function plainText(html: string | null, maxLength = 5_000): string {
  return (html ?? '')
    .replace(/<(br|\/p|\/li|\/h\d|\/div|\/pre|\/blockquote)\b[^>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
    .slice(0, maxLength);
}

/** Beginning of a text, cut at a word boundary. */
export function teaser(html: string | null, maxLength = 180): string {
  return shortened(plainText(html, maxLength * 4), maxLength);
}

/** `lang` attribute of a post; null if it is in the page's language. */
export function otherLanguage(ctx: Ctx, lang: string | null): string | null {
  return lang === null || lang === ctx.lang ? null : lang.replace('_', '-');
}
