import { Feed } from 'feed';
import { type Ctx, type Reply, reply } from '#core';
import { localizePath } from './address.ts';
import { originOf } from './facts.ts';

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
 * A feed of the site as RSS 2.0, for an `http` route: addresses are whole, in the context's language.
 *
 * ```ts
 * route.http('/forum/:forum/rss', { method: 'GET', … }, async ({ ctx, params }) => rss(ctx, { title: 'Help', path: '/forum/help-1', items }));
 * ```
 */
export function rss(
  ctx: Ctx,
  about: { title: string; description?: string; path: string; items: readonly FeedItem[] },
): Reply {
  const site = ctx.facts.website;
  const address = (path: string): string => originOf(ctx, site) + localizePath(site, path, ctx.lang);
  const feed = new Feed({
    title: about.title,
    description: about.description ?? about.title,
    id: address(about.path),
    link: address(about.path),
    language: ctx.lang.replace('_', '-'),
    copyright: site?.name ?? '',
    ...(about.items[0] ? { updated: about.items[0].date } : {}),
  });
  for (const { title, path, date, description, content, author } of about.items) {
    feed.addItem({
      title,
      id: address(path),
      link: address(path),
      date,
      ...(description === undefined ? {} : { description }),
      ...(content === undefined ? {} : { content }),
      ...(author === undefined ? {} : { author: [{ name: author }] }),
    });
  }
  return reply.body(feed.rss2(), 'application/rss+xml; charset=utf-8');
}
