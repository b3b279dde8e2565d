import type { Ctx, Id } from '#core';
import { WALL_MANAGER } from '../security.ts';
import { PAGE_SIZE, Walls } from '../services/walls.ts';

/** Most posts one address shows. */
export const MOST_SHOWN = 300;

/** What a wall's page shows, also when a form comes back to it. */
export async function wallPage(ctx: Ctx, wallId: Id, about: { shown?: number; address: string }) {
  const walls = ctx.get(Walls);
  const wall = await walls.of(wallId);
  const { shown = PAGE_SIZE, address } = about;
  const { rows, total } = await walls.posts(wallId, { limit: shown });
  const right = walls.mayPost(wall);
  const waiting = ctx.has(WALL_MANAGER) ? await walls.waiting(wallId) : [];
  return {
    wall,
    posts: walls.views(rows, address),
    total,
    displayed: rows.length,
    more: rows.length < total ? Math.min(shown + PAGE_SIZE, MOST_SHOWN) : 0,
    mayPost: right !== false,
    onApproval: right === 'on approval',
    waiting: walls.views(waiting, address),
  };
}
