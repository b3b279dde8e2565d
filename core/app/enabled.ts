import findMyWay from 'find-my-way';
import { type MenuDefinition, menus } from '../admin/index.ts';
import { type Ctx, internals } from '../context/index.ts';
import { isStaticPath, type RouteDefinition, routes } from '../http/index.ts';
import { type Bundle, texts } from '../i18n/index.ts';
import type { Fields } from '../model/index.ts';
import {
  type BlockDefinition,
  blocks,
  publicTemplates as publicTemplatePoint,
  type TourDefinition,
  tours,
} from '../page/index.ts';

/** A route and the addon that has it. */
export interface EnabledRoute {
  readonly addon: string;
  readonly route: RouteDefinition;
}

/** Every route of the enabled addons, in their order: for sitemaps and lists of links. */
export function enabledRoutes(ctx: Ctx): readonly EnabledRoute[] {
  return ctx.get(routes).all;
}

/** The names of the enabled addons, in dependency order. */
export function enabledAddons(ctx: Ctx): readonly string[] {
  return internals(ctx).generation.addons.map(({ name }) => name);
}

/**
 * Who answers at a path (without language prefix): the addon, and whether it is a file of the addon's or one of its routes. Null for paths left to
 * fallbacks. `method` null asks about any method.
 */
export function ownerOfPath(ctx: Ctx, path: string, method: 'GET' | 'POST' | null = null): string | null {
  if (isStaticPath(path)) return path.split('/')[1] ?? null;
  const table = ctx.get(routes);
  for (const one of method ? [method] : table.methodsAt(path)) {
    const match = table.match(one, path);
    if (match) return match.bound.addon;
  }
  return null;
}

/** Whether a path exists under language prefixes (`/fr/shop`): as its route says; paths left to fallbacks do. */
export function hasLanguages(ctx: Ctx, path: string): boolean {
  return !isStaticPath(path) && ctx.get(routes).isMultilang(path);
}

/** Whether a route written like this (`/forum/:forum`) would answer at a path. */
export function routeFits(pattern: string, path: string): boolean {
  const router = findMyWay({ ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 1000 });
  router.on('GET', pattern, () => {});
  return router.find('GET', path) !== null;
}

/** Templates that addons declared public: the only ones that a call from outside may name. */
export function publicTemplates(ctx: Ctx): ReadonlySet<string> {
  return ctx.get(publicTemplatePoint);
}

/** The texts that browsers need of these addons in a language, and the language's formats, in the shape Odoo's clients read. */
export function browserTexts(ctx: Ctx, lang: string, addons: readonly string[]): Bundle {
  return ctx.get(texts).bundle(lang, addons);
}

/** A model of the enabled addons, with every layer applied. */
export interface EnabledModel {
  readonly name: string;
  /** What people call one record. */
  readonly label: string;
  /** The addon that declared it. */
  readonly addon: string;
  /** The fields with a place in the database: neither computed on reading nor related. */
  readonly stored: Fields;
  /** Names of the mixins it carries. */
  readonly mixins: ReadonlySet<string>;
}

/** Every model of the enabled addons: for what looks through all records, whatever they are (where is this file used?). */
export function enabledModels(ctx: Ctx): readonly EnabledModel[] {
  return [...internals(ctx).models.models.values()].map(({ name, label, addon, fields, mixins }) => ({
    name,
    label,
    addon,
    mixins,
    stored: Object.fromEntries(
      [...fields.values()].filter(({ stored }) => stored).map((field) => [field.name, field.declared]),
    ),
  }));
}

/** Every block that the enabled addons offer to editors. */
// biome-ignore lint/suspicious/noExplicitAny: blocks of any options
export function enabledBlocks(ctx: Ctx): readonly BlockDefinition<any>[] {
  return [...ctx.get(blocks).values()];
}

/** Every tour of the enabled addons, in their order: for lists of what one can be shown. */
export function enabledTours(ctx: Ctx): readonly TourDefinition[] {
  return ctx.get(tours);
}

/** A menu entry of the backend and the addon that declared it. */
export interface EnabledMenu extends MenuDefinition {
  readonly addon: string;
}

/** Every menu entry of the enabled addons, whoever may see it, in their order. */
export function enabledMenus(ctx: Ctx): readonly EnabledMenu[] {
  return ctx.get(menus);
}
