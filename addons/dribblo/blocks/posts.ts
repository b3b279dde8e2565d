import { onWebsite, pageShown } from '@pergola/website';
import { block, type Ctx, type Id, type RequestView, route, z } from 'pergola';
import { WallPost } from '../models/club-wall-post.ts';
import { amount, recordId } from '../routes/inputs.ts';
import { PAGE_SIZE, type PostRow, postSelect, Walls } from '../services/walls.ts';
import { mark } from '../texts.ts';
import { entry, markupRoute, type Piece, type Refresh } from './kit.ts';

/** Characters of a post shown in lists. */
const TEASER = 180;

/** Post teasers with a link back to the current page. */
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

const looks = ['cards', 'rows', 'list'] as const;

/** Latest posts of one wall, or of all walls (0). */
async function latest(
  ctx: Ctx,
  { count, wall, look }: { count: number; wall: Id; look: (typeof looks)[number] },
  request: RequestView,
) {
  const ids = await ctx
    .model(WallPost)
    .search(
      [
        ['website_published', '=', true],
        ['wall_id.website_published', '=', true],
        ...(wall === 0 ? [] : [['wall_id', '=', wall] as const]),
        ...siteDomain(ctx),
      ],
      { limit: count },
    );
  // Authors' names are shown next to their posts.
  const rows = await ctx.sudo().model(WallPost).read(ids, { select: postSelect });
  const refresh: Refresh = { path: '/sn_posts', params: { next: count, wall, look } };
  return { posts: cards(ctx, rows, request), look, refresh };
}

function siteDomain(ctx: Ctx) {
  const [, , siteCondition] = onWebsite(ctx);
  return siteCondition
    ? (['|', ['wall_id.website_id', '=', null], ['wall_id.website_id', '=', siteCondition[2]]] as const)
    : ([] as const);
}

const postBlock = block('dribblo.posts', {
  label: 'Latest posts',
  options: z.object({
    wall: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({
        title: mark('Wall'),
        records: 'club.wall',
        where: [['website_published', '=', true]],
        none: mark('All walls'),
      }),
    look: z
      .enum(looks)
      .default('cards')
      .meta({
        title: mark('Layout'),
        labels: [
          { value: 'cards', label: mark('Cards') },
          { value: 'rows', label: mark('Rows with images') },
          { value: 'list', label: mark('List') },
        ],
      }),
    count: z
      .number()
      .int()
      .min(1)
      .max(24)
      .default(3)
      .meta({ title: mark('Number of posts') }),
  }),
  template: 'dribblo.posts',
  load: latest,
});

/** `/snippet/posts/1`: the latest posts of a wall. */
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
      look: 'cards',
      refresh: { path: `/snippet/posts/${params.wall}`, params: {} },
    });
  },
);

/** Latest wall posts. */
export const postPieces: Piece = {
  blocks: [postBlock],
  snippets: [entry('posts', mark('Latest posts'))],
  routes: [
    markupRoute(
      '/sn_posts',
      {
        name: 'dribblo.sn_posts',
        input: z.object({
          next: amount(3, 24, 1),
          wall: amount(0, Number.MAX_SAFE_INTEGER),
          look: z.enum(looks).default('cards'),
        }),
        template: 'dribblo.posts',
      },
      (ctx, { next, ...options }, request) => latest(ctx, { count: next, ...options }, request),
    ),
    ofWall,
  ],
};
