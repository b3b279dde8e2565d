import { InvalidInput, NotAllowed, sanitizeHtml } from '#core';
import { EDITOR_KARMA, TEXTS } from '../constants.ts';

const pictures = /<(img|picture|video|audio|source)\b[^>]*>/gi;
const links = /<a\b[^>]*\bhref="([^"]*)"[^>]*>/gi;

/** Addresses of links and pictures in sanitised HTML. */
function addressesIn(html: string): Set<string> {
  return new Set([
    ...[...html.matchAll(links)].map(([, href]) => `a ${href}`),
    ...[...html.matchAll(pictures)].map(
      ([whole]) => `img ${/\b(?:src|srcset|poster)="([^"]*)"/.exec(whole)?.[1] ?? whole}`,
    ),
  ]);
}

/**
 * Refuses new links and pictures to those without the karma for them; what was in the text before may stay.
 *
 * @throws NotAllowed with the alert of the specification
 */
export function requireEditorKarma(html: unknown, before: string | null, mayUse: boolean): void {
  if (mayUse || typeof html !== 'string') return;
  const known = addressesIn(before ?? '');
  const fresh = [...addressesIn(sanitizeHtml(html, 'comment'))].filter((address) => !known.has(address));
  if (fresh.length > 0)
    throw new NotAllowed(TEXTS.editorKarma, { code: 'forum.editor_karma', params: { n: EDITOR_KARMA } });
}

/** Whether HTML shows nothing at all. */
export function isBlank(html: string | null): boolean {
  if (html === null) return true;
  return !/<(img|hr|video|audio)\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|&#160;|\s/gi, '') === '';
}

/** @throws InvalidInput beside the field */
export function missing(field: 'name' | 'content', message: string): InvalidInput {
  return new InvalidInput(message, { code: `forum.no_${field}`, fields: { [field]: message } });
}

/** The words of HTML, for mails, feeds and search engines. */
export function plainText(html: string | null, most = 5_000): string {
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
    .slice(0, most);
}

/** The beginning of a text, cut between words. */
export function teaser(html: string | null, most = 180): string {
  const plain = plainText(html, most * 4).replaceAll('\n', ' ');
  return plain.length <= most ? plain : `${plain.slice(0, most - 1).replace(/\s+\S*$/, '')}…`;
}
