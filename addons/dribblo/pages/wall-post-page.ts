import { plainPath } from '@pergola/website';
import { type Ctx, type Id, NotFound, type RequestView, safePath } from 'pergola';
import { WallPost } from '../models/club-wall-post.ts';
import { postSelect, Walls } from '../services/walls.ts';

/**
 * A wall post with a link back to `redirect`, if given.
 *
 * @throws NotFound if the post doesn't exist or isn't visible
 */
export async function wallPostPage(ctx: Ctx, id: Id, redirect: string | undefined, request: RequestView) {
  // Checks access as the reader; only then reads the author's name.
  const [seen] = await ctx.model(WallPost).allowed([id], 'read');
  const [row] = seen === undefined ? [] : await ctx.sudo().model(WallPost).read([seen], { select: postSelect });
  if (!row) throw new NotFound('We can’t find that post.', { code: 'dribblo.no_post' });
  const wall = await ctx.get(Walls).of(row.wall_id);
  const [post] = ctx.get(Walls).views([row]);
  const back = redirect === undefined ? `/wall/${row.wall_id}` : plainPath(ctx.attributes.website, safePath(redirect));
  const seo = {
    title: row.name,
    description: (row.descr ?? '').replace(/<[^>]*>/g, ' '),
    type: 'article',
    image: post?.image || null,
    canonical: request.path,
    noindex: !row.website_published,
    breadcrumbs: [{ name: wall.name, url: `/wall/${wall.id}` }],
  };
  return {
    post,
    wall,
    back,
    seo,
    address: new URL(request.path, request.origin).href,
  };
}
