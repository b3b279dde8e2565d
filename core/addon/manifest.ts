import { z } from 'zod';
import type { Problem } from '../errors.ts';
import { didYouMean } from '../model/build/closest.ts';
import { DECLARATION } from '../model/model.ts';
import type { AddonDefinition } from './define.ts';

/** What the folder says of an addon whose definition is checked. */
export interface ManifestSource {
  /** The folder's name. */
  readonly folder: string;
  /** The definition's file, relative to the folder: `addon.ts`. */
  readonly file: string;
  /** What that file exports by default. */
  readonly exported: unknown;
}

/**
 * Checks an addon's definition by itself: its shape, its name, its version, that ids carry its name. What needs other addons to be checked is
 * checked when a generation is built.
 */
export function checkManifest(source: ManifestSource): { definition?: AddonDefinition; problems: Problem[] } {
  const { folder, file, exported } = source;
  const problem = (message: string, remedy?: string): Problem => ({ addon: folder, file, message, remedy });
  if (typeof exported !== 'object' || exported === null) {
    return { problems: [problem('exports no addon.', 'Write `export default defineAddon({ name, title, … })`.')] };
  }
  const parsed = schema.safeParse(exported);
  if (!parsed.success)
    return { problems: parsed.error.issues.flatMap((issue) => explain(issue).map((text) => problem(...text))) };
  // The schema above is what makes this true.
  const definition = exported as AddonDefinition;
  const problems = identityFaults(definition, folder).map((text) => problem(...text));
  return problems.length === 0 ? { definition, problems } : { problems };
}

const text = z.string().trim().min(1);
const id = z.string().regex(/^[\w.-]+$/, 'is no id; ids are made of letters, digits, _ and -, like "forum.moderator"');
const callable = z.custom((value) => typeof value === 'function', 'must be a function');
const shaped = (kind: string, made: string, shape: z.ZodRawShape) =>
  z.looseObject(shape, `must be made by ${made} (${kind})`);
const isModel = (value: unknown): boolean => typeof value === 'function' && DECLARATION in value;

const routeShape = shaped('a route', '`route.page`, `route.form`, …', {
  path: text,
  name: text,
  methods: z.array(text),
  handler: callable,
});
const list = (part: z.ZodType) => z.array(part).optional();
const part = {
  model: z.custom(
    isModel,
    'must be a model: a class that extends `model(…)`, or what `extend(…)` or `mixin(…)` answers',
  ),
  service: shaped('a service', '`service(…)`', { kind: z.literal('service'), name: id, make: callable }),
  routes: z.union(
    [routeShape, z.array(routeShape)],
    'must be made by `route.page`, `route.form`, …, or be a list of such',
  ),
  routeExtension: shaped('a change to a route', '`extendRoute(…)`', { route: text, around: callable }),
  group: shaped('a group', '`group(…)`', {
    id,
    label: text,
    implies: z.array(id),
    impliedBy: z.array(id).optional(),
  }),
  access: shaped('an access list', '`access(…)`', { model: text, rights: z.record(z.string(), z.string()) }),
  rule: shaped('a record rule', '`rule(…)`', {
    id,
    model: text,
    groups: z.array(id),
    operations: text,
    domain: callable,
  }),
  view: shaped('a view', '`view.list`, `view.form`, …', {
    model: text,
    type: z.enum(['list', 'form', 'kanban', 'calendar', 'search']),
    spec: z.looseObject({}),
  }),
  menu: shaped('a menu', '`menu(…)`', { id, label: text }),
  job: shaped('a job', '`job(…)`', { kind: z.literal('job'), name: id, run: callable }),
  mail: shaped('a mail', '`mail(…)`', { kind: z.literal('mail'), name: id, subject: text, template: text }),
  setting: shaped('a setting', '`setting(…)`', { kind: z.literal('setting'), name: id, label: text }),
  block: shaped('a block', '`block(…)`', { id, label: text, template: text, load: callable }),
  fragment: shaped('a fragment', '`fragment(…)`', { id, template: text, load: callable }),
  fact: shaped('a fact', '`fact(…)`', { name: text, prepare: callable, resolve: callable }),
  tour: shaped('a tour', '`tour(…)`', { id, name: text, path: text, steps: z.array(z.looseObject({})) }),
  publicMethod: shaped('a public method', '`publicMethod(…)`', {
    model: text,
    method: text,
    writes: z.boolean(),
    right: z.union([z.enum(['read', 'write', 'create', 'unlink']), z.strictObject({ none: text })]),
  }),
  contribution: shaped('a contribution', '`point.add(…)`', { point: id, items: z.array(z.unknown()) }),
  fallback: shaped('a fallback', 'hand', { name: text, handler: callable }),
} as const;

/** Every member an addon may have; the compiler says when one is missing here. */
const shape = {
  name: text.regex(/^[a-z][a-z0-9_]*$/, 'must be small letters, digits and _, beginning with a letter'),
  title: text,
  summary: text,
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'must be three numbers, like "1.2.0"'),
  category: text.optional(),
  icon: text.optional(),
  depends: z.array(z.string()).optional(),
  permanent: z.boolean().optional(),
  auto: z.boolean().optional(),
  models: list(part.model),
  services: list(part.service),
  routes: list(part.routes),
  routeExtensions: list(part.routeExtension),
  groups: list(part.group),
  access: list(part.access),
  rules: list(part.rule),
  views: list(part.view),
  menus: list(part.menu),
  jobs: list(part.job),
  mails: list(part.mail),
  settings: list(part.setting),
  blocks: list(part.block),
  fragments: list(part.fragment),
  facts: list(part.fact),
  tours: list(part.tour),
  public: z.strictObject({ methods: list(part.publicMethod), templates: z.array(text).optional() }).optional(),
  elements: z.record(z.string(), z.string()).optional(),
  contributes: list(part.contribution),
  fallbacks: list(part.fallback),
  identity: z.looseObject({ load: callable, anonymous: callable }).optional(),
  address: z.looseObject({ prepare: callable, resolve: callable, localize: callable }).optional(),
  languages: callable.optional(),
  audit: callable.optional(),
  reflect: callable.optional(),
  planNotes: callable.optional(),
  startChecks: list(callable),
} satisfies Record<keyof AddonDefinition, z.ZodType>;
const schema = z.strictObject(shape);

type Fault = [message: string, remedy?: string];

function explain(issue: z.core.$ZodIssue): Fault[] {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const whole = place === '' ? key : `${place}.${key}`;
      return [`\`${whole}\` is nothing an addon has.`, didYouMean(key, Object.keys(shape)) || 'Take it out.'];
    });
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return [[`\`${place}\` ${missing ? 'is missing' : lowerFirst(issue.message)}.`]];
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function identityFaults(definition: AddonDefinition, folder: string): Fault[] {
  const faults: Fault[] = [];
  const { name, depends = [] } = definition;
  if (name !== folder)
    faults.push([`calls itself "${name}", and its folder is "${folder}".`, 'Give both the same name.']);
  if (name === 'core') faults.push(['"core" is the name of the kernel.', 'Choose another name.']);
  if (new Set(depends).size !== depends.length) faults.push(['`depends` names an addon twice.', 'Name each once.']);
  for (const [what, ids] of Object.entries(ownIds(definition))) {
    for (const own of ids.filter((one) => !one.startsWith(`${name}.`))) {
      faults.push([
        `${what} "${own}" does not carry the addon's name.`,
        `Call it "${name}.${own.replace(/^.*\./, '')}".`,
      ]);
    }
  }
  return faults;
}

/** Ids that are the addon's own to give, by what they name. Routes without a name of their own are called after their path. */
function ownIds(definition: AddonDefinition): Record<string, string[]> {
  const named = (list: readonly { readonly name: string }[] = []): string[] => list.map(({ name }) => name);
  const ided = (list: readonly { readonly id: string }[] = []): string[] => list.map((one) => one.id);
  const routes = (definition.routes ?? []).flat().filter(({ kind, path, name }) => name !== `${kind}:${path}`);
  return {
    service: named(definition.services),
    route: named(routes),
    group: ided(definition.groups),
    rule: ided(definition.rules),
    menu: ided(definition.menus),
    job: named(definition.jobs),
    mail: named(definition.mails),
    setting: named(definition.settings),
    block: ided(definition.blocks),
    fragment: ided(definition.fragments),
    tour: ided(definition.tours),
  };
}
