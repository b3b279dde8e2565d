import { User } from '@pergola/base';
import { type Ctx, identityOf, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { groups } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { menus as menuPoint } from '../../points/menus.ts';
import { menusFor } from './menus.ts';

/** Maximum number of users to check. */
const MAX_USERS = 500;

/** Employees who lose a menu of the backend, and which. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  const roots = ctx.get(menuPoint).filter(({ addon, parent }) => leaving.has(addon) && parent === undefined);
  if (roots.length === 0) return [];
  const employees = [...ctx.get(groups)].flatMap(([code, { all }]) => (all.has('base.group_user') ? [code] : []));
  const users = await ctx
    .model(User)
    .find(['|', ['group_ids.code', 'in', employees], ['group_ids.implied_ids.code', 'in', employees]], {
      select: { name: true },
      limit: MAX_USERS,
    });
  const names: string[] = [];
  for (const { id, name } of users) {
    const user = await identityOf(ctx, id);
    if (!user) continue;
    const shown = new Set(menusFor(ctx.as({ user })).map((entry) => entry.id));
    const lost = roots.filter((root) => shown.has(root.id));
    if (lost.length > 0)
      names.push(`${name} (${lost.map(({ addon, label }) => ownText(ctx, addon, label)).join(', ')})`);
  }
  return [{ sentence: sentence('Users who lose a menu'), count: names.length, names, stops: names.length > 0 }];
}
