import { app, type Ctx, type Id, sanitizeHtml } from 'pergola';
import { WALL_MANAGER } from '../security.ts';
import { PAGE_SIZE, type PostView, Walls } from '../services/walls.ts';

/** Maximum number of posts on one page. */
export const MOST_SHOWN = 300;

/** Values of a wall page, including rejected forms. */
export async function wallPage(ctx: Ctx, wallId: Id, options: { shown?: number; address: string }) {
  const walls = ctx.get(Walls);
  const wall = await walls.of(wallId);
  const { shown: limit = PAGE_SIZE, address } = options;
  const { rows, total } = await walls.posts(wallId, { limit });
  const right = walls.mayPost(wall);
  const waiting = ctx.has(WALL_MANAGER) ? await walls.waiting(wallId) : [];
  return {
    wall,
    posts: walls.views(rows, address).map((post) => postCard(ctx, post)),
    total,
    displayed: rows.length,
    more: rows.length < total ? Math.min(limit + PAGE_SIZE, MOST_SHOWN) : 0,
    mayPost: right !== false,
    onApproval: right === 'on approval',
    waiting: walls.views(waiting, address).map((post) => postCard(ctx, post)),
    // Overridden when a form was rejected.
    values: {},
    errors: {},
    message: '',
  };
}

/** A post for the wall island. */
export function postCard(ctx: Ctx, { descr, date, wallId: _wall, isOwn: _own, ...post }: PostView) {
  return {
    ...post,
    descr: sanitizeHtml(descr, 'comment'),
    date: ctx.get(app.formats).formatDateTime(date, ctx.timezone, ctx.lang),
  };
}
