import { type Ctx, type Reply, reply, xmlText } from 'pergola';
import { localizePath } from './address.ts';
import { originOf } from './current-website.ts';
import { wholeAddresses } from './whole-addresses.ts';

/** Feed item. */
export interface FeedItem {
  readonly title: string;
  /** Path of its page, without language. */
  readonly path: string;
  readonly date: Date;
  readonly description?: string;
  /** Sanitised HTML. */
  readonly content?: string;
  readonly author?: string;
}

/**
 * Feed of the site as RSS 2.0, for an `http` route. All URLs are absolute and in the context's language, including those in the content.
 * Texts are escaped and never in CDATA sections, which their content could end.
 *
 * ```ts
 * route.http('/forum/:forum/rss', { method: 'GET', … }, async ({ ctx, params, request }) =>
 *   rss(ctx, { title: 'Help', path: '/forum/help-1', feed: request.path, items }));
 * ```
 *
 * @param options `path` of the page that the feed is about, `feed` of the feed itself; both without language
 */
export function rss(
  ctx: Ctx,
  options: { title: string; description?: string; path: string; feed: string; items: readonly FeedItem[] },
): Reply {
  const site = ctx.attributes.website;
  const origin = originOf(ctx, site);
  const address = (path: string): string => origin + localizePath(site, path, ctx.lang);
  const [newest] = options.items;
  const channel = [
    element('title', options.title),
    element('link', address(options.path)),
    `<atom:link href="${xmlText(address(options.feed))}" rel="self" type="application/rss+xml"/>\n`,
    element('description', options.description ?? options.title),
    element('language', ctx.lang.replace('_', '-')),
    element('copyright', site?.name),
    element('lastBuildDate', newest?.date.toUTCString()),
    ...options.items.map((item) => {
      const link = address(item.path);
      return `<item>\n${itemOf({ ...item, content: wholeAddresses(item.content ?? '', origin, link) }, link)}</item>\n`;
    }),
  ];
  return reply.body(
    `<?xml version="1.0" encoding="utf-8"?>\n<rss ${schemes}>\n<channel>\n${channel.join('')}</channel>\n</rss>\n`,
    'application/rss+xml; charset=utf-8',
  );
}

const schemes =
  'version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"';

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
