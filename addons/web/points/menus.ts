import { contributionPoint, type ModelRef, sentence, z } from 'pergola';
import { declaredHere, iconName, id, shaped, text } from 'pergola/kernel';
import { groups, models } from 'pergola/orm';
import { checkMenus } from './check-menus.ts';
import type { ViewDefinition } from './views.ts';

/** An entry of the backend menu. */
export interface MenuDefinition {
  readonly id: string;
  readonly label: string;
  readonly parent?: string;
  /** Opens the records of this model … */
  readonly model?: string;
  readonly domain?: readonly unknown[];
  readonly views?: readonly ViewDefinition['type'][];
  /** … or this address. */
  readonly url?: string;
  /** Name of a Bootstrap icon, for top-level entries. */
  readonly icon?: string;
  readonly groups?: readonly string[];
  /** Id of the preceding sibling. */
  readonly after?: string;
  /** Placed after all siblings, including siblings from other addons. For rarely used entries. */
  readonly last?: boolean;
}
/**
 * Declares an entry of the backend menu. Entries without `parent` are top-level.
 *
 * ```ts
 * menus: [
 *   menu('forum.menu', { label: 'Forum', icon: 'chat' }),
 *   menu('forum.menu_posts', { label: 'Posts', parent: 'forum.menu', model: ForumPost }),
 * ]
 * ```
 *
 * @param id `addon.thing`
 */
export function menu(
  id: string,
  definition: Omit<MenuDefinition, 'id' | 'model'> & { model?: ModelRef },
): MenuDefinition {
  return Object.freeze(declaredHere({ id, ...definition, model: definition.model?.modelName }, menu));
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Entries of the backend menu: `menu(…)`. */
    menus: readonly MenuDefinition[];
  }
}

/** A menu entry with the addon that declares it. */
export interface EnabledMenu extends MenuDefinition {
  readonly addon: string;
}

/** Entries of the backend menu, regardless of who may see them. */
export const menus = contributionPoint('menus', {
  shape: z.array(shaped('a menu', '`menu(…)`', { id, label: text, icon: iconName.optional() })),
  names: { what: 'menu', of: (list) => list.map((entry) => entry.id) },
  needs: { models, groups },
  build({ contributions, needs, report }) {
    checkMenus(contributions, needs.models, needs.groups).forEach(report);
    return contributions.flatMap(({ addon, value }): EnabledMenu[] =>
      value.map((menu) => ({ ...menu, addon: addon.name })),
    );
  },
  changes: (_, contributions, comes) =>
    contributions.flatMap(({ addon, value }) =>
      value.map((menu) => ({
        topic: 'menu',
        addon: addon.name,
        sentence: sentence(
          comes ? 'New menu: {label}' : 'Removed menu: {label}',
          {},
          { label: [{ addon: addon.name, text: menu.label }] },
        ),
        data: { id: menu.id, label: menu.label },
      })),
    ),
});
