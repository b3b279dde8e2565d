import { z } from 'zod';
import { checkMenus } from '../admin/check-menus.ts';
import { checkViews } from '../admin/check-views.ts';
import type { MenuDefinition, ViewDefinition } from '../admin/views.ts';
import { didYouMean } from '../base/edit-distance.ts';
import type { Problem } from '../base/errors.ts';
import type { Ctx } from '../context/context.ts';
import type { Plan } from '../kernel/plan.ts';
import { contributionPoint, listPoint } from '../kernel/point.ts';
import { type Sentence, sentence } from '../kernel/sentence.ts';
import { callable, id, shaped, text } from '../kernel/shapes.ts';
import type { DataSet } from '../model/data/define.ts';
import { groups, models } from '../model/points.ts';
import { checkTemplate, templates } from '../page/points.ts';
import type { Setting } from '../settings/define.ts';
import type { Declared, PublicMethod } from './define.ts';

declare module '../kernel/point.ts' {
  interface Contributions {
    /** Public methods and templates: what calls from outside may name. */
    public: { readonly methods?: readonly PublicMethod[]; readonly templates?: readonly string[] };
    views: readonly ViewDefinition[];
    menus: readonly MenuDefinition[];
    // biome-ignore lint/suspicious/noExplicitAny: settings of any type
    settings: readonly Setting<any>[];
    /** Languages texts are kept in, `en_US`, the default one first; provided once, by addon base. */
    siteLanguages: (ctx: Ctx) => Promise<readonly string[]>;
    /**
     * Records about what the enabled addons declare (groups, say), as data with full external ids (`forum.group_moderator`). Asked in the
     * switch's transaction whenever the set of enabled addons changes, after the schema and before shipped data, which may refer to them.
     */
    reflect: (ctx: Ctx, declared: Declared) => Promise<readonly DataSet[]>;
    /**
     * More sentences for the plan of a switch, asked of every enabled addon before anything is done: what the switch means for records that only
     * this addon knows (pages whose address a new route takes). Reads only.
     */
    planNotes: (ctx: Ctx, plan: Plan) => Promise<readonly Sentence[]>;
    /**
     * Whether the site may be served as it is, asked before the server listens; with problems the start is refused (demo passwords in production).
     * Reads only.
     */
    startChecks: readonly ((ctx: Ctx) => Promise<readonly Problem[]>)[];
  }
}

/** What calls from outside may name; everything else is refused. */
export const publicNames = contributionPoint('public', {
  shape: z.strictObject({
    methods: z
      .array(
        shaped('a public method', '`publicMethod(…)`', {
          model: text,
          method: text,
          writes: z.boolean(),
          right: z.union([z.enum(['read', 'write', 'create', 'unlink']), z.strictObject({ none: text })]),
        }),
      )
      .optional(),
    templates: z.array(text).optional(),
  }),
  needs: { models, templates },
  build({ contributions, needs, report }) {
    const known = new Set(needs.templates.ids);
    for (const { addon, value } of contributions) {
      for (const template of value.templates ?? [])
        checkTemplate(addon.name, '`public.templates`', template, known).forEach(report);
      for (const { model, method } of value.methods ?? []) {
        const what = `public method "${model}.${method}"`;
        const compiled = needs.models.get(model);
        if (!compiled) {
          const remedy = didYouMean(model, needs.models.models.keys()) || undefined;
          report({ addon: addon.name, message: `${what} is of a model that is not there.`, remedy });
        } else if (typeof Reflect.get(compiled.Class.prototype, method) !== 'function') {
          report({ addon: addon.name, message: `${what} is not there: the model has no such method.` });
        }
      }
    }
    return {
      methods: contributions.flatMap(({ value }) => value.methods ?? []),
      templates: new Set(contributions.flatMap(({ value }) => value.templates ?? [])),
    };
  },
});

/** Lists, forms and searches of the backend. */
export const views = contributionPoint('views', {
  shape: z.array(
    shaped('a view', '`view.list`, `view.form`, …', {
      model: text,
      type: z.enum(['list', 'form', 'kanban', 'calendar', 'search']),
      spec: z.looseObject({}),
    }),
  ),
  needs: { models, publicNames },
  build({ contributions, needs, report }) {
    checkViews(contributions, needs.models, needs.publicNames.methods).forEach(report);
    return contributions.flatMap(({ addon, value }) => value.map((view) => ({ ...view, addon: addon.name })));
  },
});

/** Entries of the backend's menu, each with its addon. */
export const menus = contributionPoint('menus', {
  shape: z.array(shaped('a menu', '`menu(…)`', { id, label: text })),
  names: { what: 'menu', of: (list) => list.map((one) => one.id) },
  needs: { models, groups },
  build({ contributions, needs, report }) {
    checkMenus(contributions, needs.models, needs.groups).forEach(report);
    return contributions.flatMap(({ addon, value }) => value.map((menu) => ({ ...menu, addon: addon.name })));
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

/** Values that administrators may change, each with its addon. */
export const settings = contributionPoint('settings', {
  shape: z.array(shaped('a setting', '`setting(…)`', { kind: z.literal('setting'), name: id, label: text })),
  names: { what: 'setting', of: (list) => list.map(({ name }) => name) },
  needs: { groups },
  build({ contributions, needs, report }) {
    for (const { addon, value } of contributions) {
      for (const { name, groups: group, schema, fallback } of value) {
        if (group !== undefined && !needs.groups.has(group)) {
          const message = `setting "${name}" is for the group "${group}", which is not there.`;
          report({ addon: addon.name, message, remedy: didYouMean(group, needs.groups.keys()) || undefined });
        }
        if (!schema.safeParse(fallback).success)
          report({ addon: addon.name, message: `setting "${name}" has a default that its own schema refuses.` });
      }
    }
    return contributions.flatMap(({ addon, value }) =>
      value.map((setting: Setting<unknown>) => ({ addon: addon.name, setting })),
    );
  },
});

export const siteLanguages = listPoint('siteLanguages', { shape: callable });

export const reflect = contributionPoint('reflect', {
  shape: callable,
  build: ({ contributions }) => contributions,
});

export const planNotes = contributionPoint('planNotes', {
  shape: callable,
  build: ({ contributions }) => contributions,
});

/** Shipped and demo records, and migrations: files, which a switch reads. */
const dataFiles = contributionPoint('data', { folders: ['data', 'demo', 'migrations'], build: () => null });

export const startChecks = listPoint('startChecks', { shape: z.array(callable) });

export const addonPoints = [
  publicNames,
  views,
  menus,
  settings,
  siteLanguages,
  reflect,
  planNotes,
  dataFiles,
  startChecks,
];
