import { onWebsite, pageShown } from '#addons/website';
import { block, type Ctx, type RequestView, route, z } from '#core';
import { WallPost } from '../models/club-wall-post.ts';
import { amount, recordId } from '../routes/inputs.ts';
import { t } from '../services/texts.ts';
import { PAGE_SIZE, type PostRow, postSelect, Walls } from '../services/walls.ts';
import { entry, markupRoute, type Piece, type Refresh } from './kit.ts';

/** Letters of a post's text that lists show. */
const TEASER = 180;

/** Posts in short, each with the way back to the page they stand in. */
function cards(ctx: Ctx, rows: readonly PostRow[], request: RequestView) {
  return ctx
    .get(Walls)
    .views(rows, pageShown(request))
    .map((post) => ({ ...post, teaser: teaserOf(post.descr) }));
}

function teaserOf(html: string): string {
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', '’')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= TEASER ? text : `${text.slice(0, TEASER).replace(/\s+\S*$/, '')} …`;
}

async function latest(ctx: Ctx, count: number, request: RequestView) {
  const ids = await ctx
    .model(WallPost)
    .search([['website_published', '=', true], ['wall_id.website_published', '=', true], ...hereOnly(ctx)], {
      limit: count,
    });
  // Authors are named beside their posts.
  const rows = await ctx.sudo().model(WallPost).read(ids, { select: postSelect });
  const refresh: Refresh = { path: '/sn_posts', params: { next: count } };
  return { posts: cards(ctx, rows, request), refresh };
}

function hereOnly(ctx: Ctx) {
  const [, , here] = onWebsite(ctx);
  return here
    ? (['|', ['wall_id.website_id', '=', null], ['wall_id.website_id', '=', here[2]]] as const)
    : ([] as const);
}

const postBlock = block('dribblo.posts', {
  label: 'Latest posts',
  options: z.object({
    count: z
      .number()
      .int()
      .min(1)
      .max(24)
      .default(3)
      .meta({ title: t('Number of posts') }),
  }),
  template: 'dribblo.posts',
  load: (ctx, { count }, request) => latest(ctx, count, request),
});

/** `/snippet/posts/1`: the first posts of a wall. */
const ofWall = route.rpc(
  '/snippet/posts/:wall(^\\d{1,15}$)',
  {
    name: 'dribblo.snippet_posts',
    params: { wall: recordId },
    input: z.object({}),
  },
  async ({ ctx, params, request, renderFragment }) => {
    const walls = ctx.get(Walls);
    await walls.of(params.wall);
    const { rows } = await walls.posts(params.wall, { limit: PAGE_SIZE });
    return renderFragment('dribblo.posts', {
      posts: cards(ctx, rows, request),
      refresh: { path: `/snippet/posts/${params.wall}`, params: {} },
    });
  },
);

/** The latest posts of the walls. */
export const postPieces: Piece = {
  blocks: [postBlock],
  snippets: [entry('posts', t('Latest posts'))],
  routes: [
    markupRoute(
      '/sn_posts',
      { name: 'dribblo.sn_posts', input: z.object({ next: amount(3, 24, 1) }), template: 'dribblo.posts' },
      (ctx, { next }, request) => latest(ctx, next, request),
    ),
    ofWall,
  ],
};
