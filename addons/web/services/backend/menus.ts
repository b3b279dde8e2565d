import type { Ctx } from 'pergola';
import { ownText } from 'pergola/pages';
import type { MenuEntry, ViewKind } from '../../backend/types.ts';
import { type EnabledMenu, menus as menuPoint } from '../../points/menus.ts';
import { mayUseModel } from '../admin/access.ts';

/**
 * Returns the backend menu in order, filtered by the user's groups and rights on models, without empty branches. Records readable through a
 * role are reachable regardless of the groups of their menus, including the parent menus.
 */
export function menusFor(ctx: Ctx): readonly MenuEntry[] {
  const all = ctx.get(menuPoint);
  const byId = new Map(all.map((menu) => [menu.id, menu]));
  const reachableIds = new Set<string>();
  for (const menu of all) {
    if (!menu.model && !menu.url) continue;
    const line = lineOf(menu, byId);
    const isShown = isByRole(ctx, menu) || line.every((entry) => isForGroups(ctx, entry));
    if (isShown && (!menu.model || mayUseModel(ctx, menu.model, 'read')))
      for (const entry of line) reachableIds.add(entry.id);
  }
  return inOrder(all.filter(({ id }) => reachableIds.has(id))).map((menu) => entry(ctx, menu));
}

function isForGroups(ctx: Ctx, { groups }: EnabledMenu): boolean {
  return !groups || groups.some((group) => ctx.has(group));
}

/** Whether one of the user's roles grants read access to the menu's model. */
function isByRole(ctx: Ctx, { model }: EnabledMenu): boolean {
  return model !== undefined && ctx.user.grants?.get(model)?.has('read') === true;
}

/** Returns the entry with its ancestors. */
function lineOf(menu: EnabledMenu, byId: ReadonlyMap<string, EnabledMenu>): EnabledMenu[] {
  const parent = menu.parent ? byId.get(menu.parent) : undefined;
  return parent ? [...lineOf(parent, byId), menu] : [menu];
}

/** Sorts entries as declared, then moves each one with `after` behind that sibling. */
function inOrder(menus: readonly EnabledMenu[]): EnabledMenu[] {
  const ordered = menus
    .filter(({ after: siblingId }) => !siblingId || !menus.some(({ id }) => id === siblingId))
    .toSorted((a, b) => Number(a.last ?? false) - Number(b.last ?? false));
  let waiting = menus.filter((menu) => !ordered.includes(menu));
  while (waiting.length > 0) {
    const placeable = waiting.filter(({ after: siblingId }) => ordered.some(({ id }) => id === siblingId));
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
