import { type Ctx, type Reply, reply, xmlText } from '#core';
import { localizePath } from './address.ts';
import { originOf } from './current-website.ts';

/** One news of a feed. */
export interface FeedItem {
  readonly title: string;
  /** Where it is, as a path without language. */
  readonly path: string;
  readonly date: Date;
  readonly description?: string;
  /** Sanitised HTML. */
  readonly content?: string;
  readonly author?: string;
}

/**
 * A feed of the site as RSS 2.0, for an `http` route: addresses are whole, in the context's language. Whatever the texts hold is text: nothing is
 * quoted (CDATA), so nothing can end a quotation.
 *
 * ```ts
 * route.http('/forum/:forum/rss', { method: 'GET', … }, async ({ ctx, params }) => rss(ctx, { title: 'Help', path: '/forum/help-1', items }));
 * ```
 */
export function rss(
  ctx: Ctx,
  about: { title: string; description?: string; path: string; items: readonly FeedItem[] },
): Reply {
  const site = ctx.attributes.website;
  const address = (path: string): string => originOf(ctx, site) + localizePath(site, path, ctx.lang);
  const [newest] = about.items;
  const channel = [
    element('title', about.title),
    element('link', address(about.path)),
    element('description', about.description ?? about.title),
    element('language', ctx.lang.replace('_', '-')),
    element('copyright', site?.name),
    element('lastBuildDate', newest?.date.toUTCString()),
    ...about.items.map((item) => `<item>\n${itemOf(item, address(item.path))}</item>\n`),
  ];
  return reply.body(
    `<?xml version="1.0" encoding="utf-8"?>\n<rss ${schemes}>\n<channel>\n${channel.join('')}</channel>\n</rss>\n`,
    'application/rss+xml; charset=utf-8',
  );
}

const schemes =
  'version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"';

function itemOf({ title, date, description, content, author }: FeedItem, address: string): string {
  return [
    element('title', title),
    element('link', address),
    element('guid', address),
    element('pubDate', date.toUTCString()),
    element('description', description),
    element('content:encoded', content),
    element('dc:creator', author),
  ].join('');
}

function element(name: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<${name}>${xmlText(text)}</${name}>\n`;
}
