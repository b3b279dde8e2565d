import { type Ctx, z } from 'pergola';
import { ownText } from 'pergola/pages';
import type {
  Dashboard,
  DashboardChoice,
  DashboardFigure,
  DashboardLine,
  DashboardTrend,
  DashboardWidget,
  Destination,
} from '../../backend/types.ts';
import { Preference } from '../../models/web-preference.ts';
import { type EnabledMenu, menus as menuPoint } from '../../points/menus.ts';
import { views } from '../../points/views.ts';
import {
  type EnabledWidget,
  type FigureDefinition,
  type WidgetLine,
  type Destination as WidgetTarget,
  type WidgetTrend,
  widgets as widgetPoint,
} from '../../points/widgets.ts';
import { mayUseModel } from '../admin/access.ts';
import { callModel } from '../rpc/call.ts';
import { menusFor } from './menus.ts';

/** Preference key of the user's widgets. */
const CHOICE = 'dashboard';
const choice = z.object({ order: z.array(z.string()), hidden: z.array(z.string()) });

/** Returns the user's dashboard: the visible widgets with their content, and the titles of the hidden ones, which cause no queries. */
export async function dashboardFor(ctx: Ctx): Promise<Dashboard> {
  const { order, hidden } = await choiceOf(ctx);
  const scene: Scene = { ctx, menus: new Map(visibleMenus(ctx).map((menu) => [menu.id, menu])) };
  const available = ctx
    .get(widgetPoint)
    .filter((widget) => isAllowed(ctx, widget))
    .map((widget) => ({ ...widget, figures: widget.figures.filter((figure) => isReadable(scene, figure)) }))
    .filter(({ figures, load }) => figures.length > 0 || load !== undefined);
  const place = ({ id }: EnabledWidget): number => (order.includes(id) ? order.indexOf(id) : order.length);
  const visible = available.filter(({ id }) => !hidden.includes(id)).toSorted((a, b) => place(a) - place(b));
  const loaded = await Promise.all(visible.map((widget) => loadWidget(scene, widget)));
  return {
    widgets: loaded.filter((widget) => widget !== null),
    hidden: available
      .filter(({ id }) => hidden.includes(id))
      .map(({ id, addon, label }) => ({ id, label: ownText(ctx, addon, label) })),
  };
}

interface Scene {
  readonly ctx: Ctx;
  /** Menus visible to the user. */
  readonly menus: ReadonlyMap<string, EnabledMenu>;
}

function visibleMenus(ctx: Ctx): EnabledMenu[] {
  const seen = new Set(menusFor(ctx).map(({ id }) => id));
  return ctx.get(menuPoint).filter(({ id }) => seen.has(id));
}

async function choiceOf(ctx: Ctx): Promise<DashboardChoice> {
  const [preference] = await ctx.model(Preference).find([['key', '=', CHOICE]], { select: { value: true } });
  return choice.safeParse(preference?.value).data ?? { order: [], hidden: [] };
}

function isAllowed(ctx: Ctx, { groups, models }: EnabledWidget): boolean {
  if (groups && !groups.some((group) => ctx.has(group))) return false;
  return models.every((model) => mayUseModel(ctx, model, 'read'));
}

function isReadable({ ctx, menus }: Scene, { model, menu }: FigureDefinition): boolean {
  return menus.has(menu) && mayUseModel(ctx, model, 'read');
}

/** Returns a widget with its content, or null if it is obsolete. A failing widget shows an error and doesn't affect the others. */
async function loadWidget(scene: Scene, widget: EnabledWidget): Promise<DashboardWidget | null> {
  const { ctx } = scene;
  const { id, addon, icon, label, figures, load } = widget;
  const header = { id, icon, label: ownText(ctx, addon, label) };
  try {
    const [figureCounts, { trend, lines = [], over } = {}] = await Promise.all([
      Promise.all(figures.map((definition) => countFigure(scene, addon, definition))),
      load?.(ctx),
    ]);
    if (over) return null;
    return {
      ...header,
      content: {
        figures: figureCounts,
        trend: trend ? trendOf(scene, trend) : null,
        lines: lines.map((line) => lineOf(scene, line)),
      },
    };
  } catch (error) {
    ctx.log.error({ err: error, widget: id }, 'A widget could not be calculated');
    return { ...header, content: null };
  }
}

/** Counts the same records as the list that the figure leads to. */
async function countFigure(
  { ctx, menus }: Scene,
  addon: string,
  definition: FigureDefinition,
): Promise<DashboardFigure> {
  const { model, menu, filter, urgent = false } = definition;
  const label = ownText(ctx, addon, definition.label);
  const figureDomain = (await definition.domain?.(ctx)) ?? [];
  const domain = [
    ...(menus.get(menu)?.domain ?? []),
    ...(filter ? filterDomain(ctx, model, filter) : []),
    ...figureDomain,
  ];
  const value = Number(await callModel(ctx, { model, method: 'search_count', args: [domain], kwargs: {} }));
  const condition = figureDomain.length > 0 ? { label, domain: figureDomain } : null;
  return {
    label,
    value,
    urgent: urgent && value > 0,
    to: { model, menu, view: null, filter: filter ?? null, condition },
  };
}

function filterDomain(ctx: Ctx, model: string, filter: string): readonly unknown[] {
  const filters = ctx
    .get(views)
    .filter((view) => view.model === model && view.type === 'search')
    .flatMap(({ spec }) => spec.filters as readonly { readonly id: string; readonly domain: readonly unknown[] }[]);
  return filters.find((candidate) => candidate?.id === filter)?.domain ?? [];
}

function targetOf({ menus }: Scene, to: WidgetTarget): Destination {
  if ('url' in to) return to;
  if ('id' in to) return { model: to.model, id: to.id, menu: to.menu ?? null };
  const model = menus.get(to.menu)?.model;
  if (!model) return { url: '/web' };
  return { model, menu: to.menu, view: to.view ?? null, filter: to.filter ?? null, condition: null };
}

function trendOf(scene: Scene, { labels, series, to }: WidgetTrend): DashboardTrend {
  return { labels, series, to: targetOf(scene, to) };
}

function lineOf(scene: Scene, { label, note, count, urgent = false, done: isDone, to }: WidgetLine): DashboardLine {
  return { label, note: note ?? null, count: count ?? null, urgent, done: isDone ?? null, to: targetOf(scene, to) };
}
