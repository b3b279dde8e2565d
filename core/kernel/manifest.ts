import { join } from 'node:path';
import { z } from 'zod';
import {
  type CodeFolder,
  declaredAt,
  didYouMean,
  lineNaming,
  namesIn,
  type Problem,
  platformPackages,
} from '../base/index.ts';
import type { AddonDefinition, Manifest } from './addon.ts';
import type { ContributionPoint } from './point.ts';
import { callable, iconName, shaped, text } from './shapes.ts';

/** What the folder says of an addon whose definition is checked. */
export interface ManifestSource {
  /** The folder's name. */
  readonly folder: string;
  /** The folder itself, absolute and real. */
  readonly path: string;
  /** The definition's file, relative to the folder: `addon.ts`. */
  readonly file: string;
  /** What that file exports by default. */
  readonly exported: unknown;
}

/** What is wrong with an addon's definition; without problems, the definition. */
export type ManifestCheck = (source: ManifestSource) => { definition?: AddonDefinition; problems: Problem[] };

/**
 * Checks addons' definitions, each by itself: what it says of itself, that every other member is a contribution point's and of its shape, that
 * names begin with the addon's own. What needs other addons to be checked is checked when a generation is built.
 */
export function manifestCheck(points: readonly ContributionPoint[]): ManifestCheck {
  const shape = { ...manifest, ...Object.fromEntries(points.map(({ name, options }) => [name, shapeOf(options)])) };
  // One for all addons: zod compiles it.
  const schema = z.strictObject(shape);
  return (source) => check(source, schema, points);
}

function check(
  { folder, path, file, exported }: ManifestSource,
  schema: z.ZodObject,
  points: readonly ContributionPoint[],
): ReturnType<ManifestCheck> {
  const problem = (message: string, remedy?: string): Problem => {
    const line = lineNaming(join(path, file), namesIn(message));
    return { addon: folder, file, ...(line === undefined ? {} : { line }), message, remedy };
  };
  if (typeof exported !== 'object' || exported === null) {
    return { problems: [problem('exports no addon.', 'Write `export default defineAddon({ name, title, … })`.')] };
  }
  const parsed = schema.safeParse(exported, { reportInput: true });
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => {
      const place = placeOf(issue, exported, { name: folder, folder: path });
      return explain(issue, Object.keys(schema.shape)).map((fault) => ({ ...problem(...fault), ...place }));
    });
    return { problems };
  }
  // The shapes above are what makes this true.
  const definition = exported as AddonDefinition;
  const problems = [...identityFaults(definition, folder), ...nameFaults(definition, points)].map((fault) =>
    problem(...fault),
  );
  return problems.length === 0 ? { definition, problems } : { problems };
}

const manifest: Readonly<Record<keyof Manifest | 'points' | 'services', z.ZodType>> = {
  name: text
    .regex(/^[a-z][a-z0-9_]*$/, 'must contain only lowercase letters, digits and _, and start with a letter')
    .refine((name) => !platformPackages.has(name), 'must not be the name of one of Pergola’s packages'),
  title: text,
  summary: text,
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'must be three numbers, such as "1.2.0"'),
  category: text.optional(),
  icon: iconName.optional(),
  depends: z.array(z.string()).optional(),
  permanent: z.boolean().optional(),
  auto: z.boolean().optional(),
  points: z
    .array(shaped('a contribution point', '`contributionPoint(…)`', { kind: z.literal('point'), name: text }))
    .optional(),
  services: z
    .array(
      z.union(
        [callable, z.looseObject({ base: callable, over: callable })],
        'must be a service: a class that extends `service(…)`, or what `extendService(…)` answers',
      ),
    )
    .optional(),
};

function shapeOf({ shape }: ContributionPoint['options']): z.ZodType {
  return (shape ?? z.unknown()).optional();
}

/** Where the contribution that an issue is about was declared: `menus.0` of the definition. */
function placeOf(
  { path, message }: z.core.$ZodIssue,
  exported: object,
  owner: CodeFolder,
): Pick<Problem, 'file' | 'line'> {
  const [member = '', index = '', ...rest] = path;
  const list: unknown = Reflect.get(exported, member);
  const made: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  if ((typeof made !== 'object' && typeof made !== 'function') || made === null) return {};
  const { id, name = id } = made as { id?: unknown; name?: unknown };
  const words = [...namesIn(message), ...rest.slice(-1).map(String)];
  return declaredAt(made, owner, words, typeof name === 'string' ? name : undefined);
}

type ManifestFault = [message: string, remedy?: string];

function explain(issue: z.core.$ZodIssue, members: readonly string[]): ManifestFault[] {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const whole = place === '' ? key : `${place}.${key}`;
      return [
        `\`${whole}\` is nothing an addon has.`,
        didYouMean(key, members) || 'Remove it, or list the part that takes it in parts.ts.',
      ];
    });
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  if (issue.code === 'invalid_value' && typeof issue.input === 'string') {
    const values = issue.values.map(String);
    const remedy = didYouMean(issue.input, values) || `Choose one of ${values.join(', ')}.`;
    return [[`\`${place}\` can't be “${issue.input}”.`, remedy]];
  }
  return [[`\`${place}\` ${missing ? 'is missing' : lowerFirst(issue.message)}.`]];
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function identityFaults({ name, depends = [] }: AddonDefinition, folder: string): ManifestFault[] {
  const faults: ManifestFault[] = [];
  if (name !== folder)
    faults.push([`calls itself "${name}", and its folder is "${folder}".`, 'Give both the same name.']);
  if (name === 'core') faults.push(['"core" is the name of the core.', 'Choose another name.']);
  if (new Set(depends).size !== depends.length) faults.push(['`depends` names an addon twice.', 'Name each once.']);
  return faults;
}

/** Names that an addon gives begin with its own: routes, jobs, services, … */
function nameFaults(definition: AddonDefinition, points: readonly ContributionPoint[]): ManifestFault[] {
  const { name: addon, services = [] } = definition;
  const given = [
    ...services.flatMap((one) => ('key' in one ? [{ what: 'service', name: one.key.name }] : [])),
    ...points.flatMap(({ name: key, options: { names } }) => {
      const value: unknown = Reflect.get(definition, key);
      return value === undefined || !names ? [] : names.of(value).map((name) => ({ what: names.what, name }));
    }),
  ];
  return given
    .filter(({ name }) => !name.startsWith(`${addon}.`))
    .map(({ what, name }) => [
      `${what} "${name}" does not carry the addon's name.`,
      `Call it "${addon}.${name.replace(/^.*\./, '')}".`,
    ]);
}
