import { z } from 'zod';
import { contributionPoint, id, sentence, shaped, text } from '../kernel/index.ts';
import { groups, models, publicMethods } from '../model/index.ts';
import { checkMenus } from './check-menus.ts';
import { checkViews } from './check-views.ts';
import type { MenuDefinition, ViewDefinition } from './views.ts';

declare module '../kernel/point.ts' {
  interface Contributions {
    views: readonly ViewDefinition[];
    menus: readonly MenuDefinition[];
  }
}

/** Lists, forms and searches of the backend. */
export const views = contributionPoint('views', {
  shape: z.array(
    shaped('a view', '`view.list`, `view.form`, …', {
      model: text,
      type: z.enum(['list', 'form', 'kanban', 'calendar', 'search']),
      spec: z.looseObject({}),
    }),
  ),
  needs: { models, publicMethods },
  build({ contributions, needs, report }) {
    checkViews(contributions, needs.models, needs.publicMethods).forEach(report);
    return contributions.flatMap(({ addon, value }) => value.map((view) => ({ ...view, addon: addon.name })));
  },
});

/** A menu entry and the addon that declared it. */
export interface EnabledMenu extends MenuDefinition {
  readonly addon: string;
}

/** Entries of the backend's menu, whoever may see them. */
export const menus = contributionPoint('menus', {
  shape: z.array(shaped('a menu', '`menu(…)`', { id, label: text })),
  names: { what: 'menu', of: (list) => list.map((one) => one.id) },
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
          comes ? 'New menu: {label}' : 'Menu no longer there: {label}',
          {},
          { label: [{ addon: addon.name, text: menu.label }] },
        ),
        data: { id: menu.id, label: menu.label },
      })),
    ),
});

export const adminPoints = [views, menus];
