import type { Ctx } from '#core';
import { ownText } from '#core/pages';
import type { MenuEntry, ViewKind } from '../../backend/types.ts';
import { type EnabledMenu, menus as menuPoint } from '../../points/menus.ts';
import { mayUseModel } from '../admin/access.ts';

/** The backend's menu as this user may see it: by groups, by rights on the model, and without branches that lead nowhere. In order. */
export function menusFor(ctx: Ctx): readonly MenuEntry[] {
  const allowed = ctx.get(menuPoint).filter((menu) => isAllowed(ctx, menu));
  const byId = new Map(allowed.map((menu) => [menu.id, menu]));
  const leadsSomewhere = new Set<string>();
  for (const menu of allowed) {
    if (!menu.model && !menu.url) continue;
    const line = lineOf(menu, byId);
    if (line) for (const one of line) leadsSomewhere.add(one.id);
  }
  return inOrder(allowed.filter(({ id }) => leadsSomewhere.has(id))).map((menu) => entry(ctx, menu));
}

function isAllowed(ctx: Ctx, { groups, model }: EnabledMenu): boolean {
  if (groups && !groups.some((group) => ctx.has(group))) return false;
  return !model || mayUseModel(ctx, model, 'read');
}

/** The entry and those above it; null when one of them is not the user's to see. */
function lineOf(menu: EnabledMenu, byId: ReadonlyMap<string, EnabledMenu>): EnabledMenu[] | null {
  if (!menu.parent) return [menu];
  const parent = byId.get(menu.parent);
  const above = parent ? lineOf(parent, byId) : null;
  return above && [...above, menu];
}

/** Each entry behind the sibling it says it comes after; else as declared, those that say so at the end. */
function inOrder(menus: readonly EnabledMenu[]): EnabledMenu[] {
  const ordered = menus
    .filter(({ after }) => !after || !menus.some(({ id }) => id === after))
    .toSorted((one, other) => Number(one.last ?? false) - Number(other.last ?? false));
  let waiting = menus.filter((menu) => !ordered.includes(menu));
  while (waiting.length > 0) {
    const placeable = waiting.filter(({ after }) => ordered.some(({ id }) => id === after));
    if (placeable.length === 0) return [...ordered, ...waiting];
    for (const menu of placeable.toReversed())
      ordered.splice(ordered.findIndex(({ id }) => id === menu.after) + 1, 0, menu);
    waiting = waiting.filter((menu) => !placeable.includes(menu));
  }
  return ordered;
}

function entry(ctx: Ctx, { id, addon, label, parent, icon, model, domain, views, url }: EnabledMenu): MenuEntry {
  return {
    id,
    label: ownText(ctx, addon, label),
    parent: parent ?? null,
    icon: icon ?? (parent ? '' : 'app'),
    model: model ?? null,
    domain: domain ?? [],
    views: (views ?? []).filter((view): view is ViewKind => view !== 'search'),
    url: url ?? null,
    mayCreate: model !== undefined && mayUseModel(ctx, model, 'create'),
  };
}
