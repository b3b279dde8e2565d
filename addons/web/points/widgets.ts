import { type Ctx, contributionPoint, type ModelRef, z } from 'pergola';
import { callable, declaredHere, didYouMean, iconName, id, shaped, text } from 'pergola/kernel';
import { groups, type ModelRegistry, models } from 'pergola/orm';
import type { DashboardTrend } from '../backend/types.ts';
import { type MenuDefinition, menus } from './menus.ts';
import { type ViewDefinition, views } from './views.ts';

/** Domain as in a list's address: moments are UTC text. */
type ListDomain = readonly unknown[];

/** A number on a widget: the record count of a list, linked to it. */
export interface FigureDefinition {
  readonly label: string;
  readonly model: string;
  /** Menu entry of the list. */
  readonly menu: string;
  /** A filter of the model's search … */
  readonly filter?: string;
  /** … or a domain that depends on the date or on a setting; the list shows it under the figure's label. */
  readonly domain?: (ctx: Ctx) => ListDomain | Promise<ListDomain>;
  /** Highlights a count above zero as a problem. */
  readonly urgent?: boolean;
}

/** A backend screen or an address. */
export type Destination =
  | { readonly url: string }
  | { readonly menu: string; readonly view?: 'graph' | 'pivot'; readonly filter?: string }
  | { readonly model: string; readonly id: number; readonly menu?: string };

/** A series of values by day. */
export interface WidgetTrend extends Omit<DashboardTrend, 'to'> {
  readonly to: Destination;
}

/** A row of a widget. */
export interface WidgetLine {
  readonly label: string;
  readonly note?: string;
  readonly to: Destination;
  /** A number that isn't counted like a figure. */
  readonly count?: number;
  readonly urgent?: boolean;
  /** Whether a step is done. */
  readonly done?: boolean;
}

/** Content of a widget, in addition to its figures. */
export interface WidgetContent {
  readonly trend?: WidgetTrend;
  readonly lines?: readonly WidgetLine[];
  /** Whether the widget has become obsolete. */
  readonly over?: boolean;
}

/** A widget of the dashboard. */
export interface WidgetDefinition {
  readonly id: string;
  readonly label: string;
  /** Name of a Bootstrap icon. */
  readonly icon: string;
  /** Visible to these groups only; causes no query for other users. */
  readonly groups?: readonly string[];
  /** Also hidden from users who may not read these models. */
  readonly models: readonly string[];
  readonly figures: readonly FigureDefinition[];
  readonly load?: (ctx: Ctx) => Promise<WidgetContent>;
}

/**
 * Declares a figure of a widget: the number of records in a menu entry's list with a filter set, counted with the user's rights.
 *
 * ```ts
 * figure(SaleOrder, { label: 'Needs review', menu: 'sale.menu_blocked', urgent: true })
 * ```
 */
export function figure(model: ModelRef, definition: Omit<FigureDefinition, 'model'>): FigureDefinition {
  return Object.freeze({ ...definition, model: model.modelName });
}

/**
 * Declares a widget of the dashboard. Users choose which widgets they see, and in which order.
 *
 * ```ts
 * widgets: [
 *   widget('studio.today', {
 *     label: 'Today',
 *     icon: 'cup-hot',
 *     figures: [figure(Booking, { label: 'Booked', menu: 'studio.menu_bookings', filter: 'booked' })],
 *   }),
 * ]
 * ```
 *
 * @param id `addon.thing`
 */
export function widget(
  id: string,
  definition: Omit<WidgetDefinition, 'id' | 'models' | 'figures'> & {
    readonly models?: readonly ModelRef[];
    readonly figures?: readonly FigureDefinition[];
  },
): WidgetDefinition {
  const { models: requiredModels = [], figures = [] } = definition;
  return Object.freeze(
    declaredHere({ ...definition, id, models: requiredModels.map(({ modelName }) => modelName), figures }, widget),
  );
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Widgets of the dashboard: `widget(…)`. */
    widgets: readonly WidgetDefinition[];
  }
}

/** A widget with the addon that declares it. */
export interface EnabledWidget extends WidgetDefinition {
  readonly addon: string;
}

/** Widgets of the dashboard, regardless of who may see them. */
export const widgets = contributionPoint('widgets', {
  shape: z.array(shaped('a widget', '`widget(…)`', { id, label: text, icon: iconName })),
  names: { what: 'widget', of: (list) => list.map((widgetItem) => widgetItem.id) },
  needs: { models, groups, menus, views },
  build({ contributions, needs, report }) {
    for (const { addon, value } of contributions) {
      for (const item of value) {
        for (const [message, remedy] of faultsOf(item, needs))
          report({ addon: addon.name, message: `widget "${item.id}" ${message}`, remedy: remedy || undefined });
      }
    }
    return contributions.flatMap(({ addon, value }): EnabledWidget[] =>
      value.map((item) => ({ ...item, addon: addon.name })),
    );
  },
});

interface Registry {
  readonly models: ModelRegistry;
  readonly groups: ReadonlyMap<string, unknown>;
  readonly menus: readonly MenuDefinition[];
  readonly views: readonly ViewDefinition[];
}
type Fault = readonly [message: string, remedy: string];

/** Checks a widget against the groups, models, menus and filters that it names. */
function faultsOf(item: WidgetDefinition, registry: Registry): Fault[] {
  const faults: Fault[] = [];
  const missing = (kind: string, name: string, names: ReadonlyMap<string, unknown>): void => {
    if (!names.has(name))
      faults.push([`names the ${kind} "${name}", which is not there.`, didYouMean(name, names.keys())]);
  };
  for (const group of item.groups ?? []) missing('group', group, registry.groups);
  for (const name of item.models) missing('model', name, registry.models.models);
  const menus = new Map(registry.menus.map((menu) => [menu.id, menu]));
  for (const { label, model, menu, filter } of item.figures) {
    missing('menu', menu, menus);
    const menuModel = menus.get(menu)?.model;
    if (menus.has(menu) && menuModel !== model)
      faults.push([
        `counts "${model}" for "${label}", and "${menu}" leads to other records.`,
        'Name the menu of its list.',
      ]);
    if (filter !== undefined)
      missing('filter', filter, new Map(filtersOf(registry.views, model).map((name) => [name, name])));
  }
  return faults;
}

function filtersOf(all: readonly ViewDefinition[], model: string): string[] {
  return all
    .filter((view) => view.model === model && view.type === 'search')
    .flatMap(({ spec }) => (Array.isArray(spec.filters) ? (spec.filters as readonly { readonly id: string }[]) : []))
    .map((filter) => filter.id);
}

/** A setup step of a new site, shown on the dashboard until it is done. */
export interface FirstStep {
  readonly id: string;
  readonly label: string;
  /** Address of the screen for this step. */
  readonly url: string | ((ctx: Ctx) => Promise<string>);
  /** Administrators by default. */
  readonly groups?: readonly string[];
  readonly done: (ctx: Ctx) => Promise<boolean>;
}

/**
 * Declares a setup step of a new site. It is crossed off when `done` returns true.
 *
 * @param id `addon.thing`
 */
export function firstStep(id: string, definition: Omit<FirstStep, 'id'>): FirstStep {
  return Object.freeze(declaredHere({ id, ...definition }, firstStep));
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Setup steps of a new site: `firstStep(…)`. */
    firstSteps: readonly FirstStep[];
  }
}

/** Setup steps of a new site, in the order of the addons. */
export const firstSteps = contributionPoint('firstSteps', {
  shape: z.array(
    shaped('a first step', '`firstStep(…)`', { id, label: text, url: z.union([text, callable]), done: callable }),
  ),
  names: { what: 'first step', of: (list) => list.map((step) => step.id) },
  needs: { groups },
  build({ contributions, needs, report }) {
    for (const { addon, value } of contributions) {
      for (const { id: name, groups = [] } of value) {
        for (const group of groups.filter((code) => !needs.groups.has(code))) {
          const message = `first step "${name}" is for the group "${group}", which is not there.`;
          report({ addon: addon.name, message, remedy: didYouMean(group, needs.groups.keys()) || undefined });
        }
      }
    }
    return contributions.flatMap(({ addon, value }): (FirstStep & { readonly addon: string })[] =>
      value.map((step) => ({ ...step, addon: addon.name })),
    );
  },
});
