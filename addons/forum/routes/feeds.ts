import { rss } from '@pergola/website';
import { type Ctx, type Id, route, z } from 'pergola';
import { PAGE } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumUser } from '../models/res-users.ts';
import { type ForumRow, requireHere } from '../pages/header.ts';
import { Authors } from '../services/authors.ts';
import { Digests } from '../services/digests.ts';
import { t } from '../texts.ts';
import { forumParam, notHere, tagParam } from './params.ts';
import { feedPath, forumPath, questionPath, tagPath } from './paths.ts';

/** Feed of the latest questions of a forum, or of one tag. */
async function feed(ctx: Ctx, forum: ForumRow, tag: { id: Id; name: string } | null) {
  requireHere(ctx, forum);
  const rows = await ctx
    .model(ForumPost)
    .find(
      [
        ['forum_id', '=', forum.id],
        ['parent_id', '=', null],
        ['state', '=', 'active'],
        ...(tag ? ([['tag_ids', '=', tag.id]] as const) : []),
      ],
      {
        select: { name: true, content: true, create_date: true, create_uid: true },
        order: 'id desc',
        limit: PAGE.feed,
      },
    );
  const author = await ctx.get(Authors).of(
    forum,
    rows.flatMap(({ create_uid }) => create_uid ?? []),
  );
  return rss(ctx, {
    title: tag ? `${forum.name}: ${tag.name}` : forum.name,
    ...(forum.description ? { description: forum.description } : {}),
    path: tag ? tagPath(forum, tag) : forumPath(forum),
    feed: feedPath(forum, tag),
    items: rows.map((row) => ({
      title: row.name ?? '',
      path: questionPath(forum, row),
      date: row.create_date,
      content: row.content ?? '',
      author: author(row.create_uid).name,
    })),
  });
}

const forumFeed = route.http(
  '/forum/:forum/rss',
  { name: 'forum.rss', method: 'GET', multilang: true, params: { forum: forumParam } },
  ({ ctx, params }) => feed(ctx, params.forum, null),
);
const tagFeed = route.http(
  '/forum/:forum/tag/:tag/rss',
  { name: 'forum.tag_rss', method: 'GET', multilang: true, params: { forum: forumParam, tag: tagParam } },
  ({ ctx, params: { forum, tag } }) => {
    if (tag.forum_id !== forum.id) throw notHere();
    return feed(ctx, forum, tag);
  },
);

const token = { token: z.string().max(200) };
const stopPage = route.page(
  '/forum/digest/:token',
  { name: 'forum.digest_page', params: token, cache: false },
  ({ ctx, params, render }) => {
    const isGood = ctx.get(Digests).ownerOf(params.token) !== null;
    return render(
      'forum.digest_stop',
      {
        isGood,
        done: false,
        path: `/forum/digest/${params.token}`,
        seo: { title: t(ctx, 'Unsubscribe from the digest'), noindex: true },
      },
      { status: isGood ? 200 : 404 },
    );
  },
);
const stop = route.form(
  '/forum/digest/:token',
  {
    name: 'forum.digest_stop',
    params: token,
    writes: true,
    // Mail clients send List-Unsubscribe=One-Click, which adds nothing to the URL.
    body: z.object({}),
    csrf: { off: 'One-click unsubscribe of mail programs (RFC 8058); the signed link is the proof.' },
  },
  async ({ ctx, params, render }) => {
    const user = ctx.get(Digests).ownerOf(params.token);
    // The signed link authorises this.
    if (user !== null) await ctx.sudo().model(ForumUser).write(user, { forum_digest: 'none' });
    return render(
      'forum.digest_stop',
      { isGood: user !== null, done: true, seo: { title: t(ctx, 'Unsubscribe from the digest'), noindex: true } },
      { status: user === null ? 404 : 200 },
    );
  },
);

export const feedRoutes = [forumFeed, tagFeed, stopPage, stop];
