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
import type { AddonDefinition } from './addon.ts';
import type { ContributionPoint } from './point.ts';
import type { manifestMembers } from './read-manifest.ts';
import { callable, iconName, shaped, text } from './shapes.ts';

/** Source of a definition to check. */
export interface ManifestSource {
  /** Name of the folder. */
  readonly folder: string;
  /** Absolute, real path of the folder. */
  readonly path: string;
  /** File of the definition, relative to the folder: `addon.ts`. */
  readonly file: string;
  /** Default export of that file. */
  readonly exported: unknown;
}

/** Returns the definition if it is valid, otherwise its problems. */
export type ManifestCheck = (source: ManifestSource) => { definition?: AddonDefinition; problems: Problem[] };

/**
 * Returns a check for single addon definitions: validates the manifest, the contributions against the shapes of their points, and that
 * names start with the addon's name. Anything that depends on other addons is checked when a generation is built.
 */
export function manifestCheck(points: readonly ContributionPoint[]): ManifestCheck {
  const shape = {
    ...manifest,
    ...contributed,
    ...Object.fromEntries(points.map(({ name, options }) => [name, shapeOf(options)])),
  };
  // Shared by all addons: zod compiles it.
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
  // The schema above guarantees this.
  const definition = exported as AddonDefinition;
  const problems = [...identityFaults(definition, folder), ...nameFaults(definition, points)].map((fault) =>
    problem(...fault),
  );
  return problems.length === 0 ? { definition, problems } : { problems };
}

const manifest: Readonly<Record<(typeof manifestMembers)[number], z.ZodType>> = {
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
};

/** Contributions that the kernel reads itself. */
const contributed: Readonly<Record<'points' | 'services', z.ZodType>> = {
  points: z
    .array(shaped('a contribution point', '`contributionPoint(…)`', { kind: z.literal('point'), name: text }))
    .optional(),
  services: z
    .array(
      z.union(
        [callable, z.looseObject({ base: callable, over: callable })],
        'must be a service: a class that extends `service(…)`, or the result of `extendService(…)`',
      ),
    )
    .optional(),
};

const manifestSchema = z.object(manifest);

/** Checks only the manifest of a definition whose code isn't loaded. */
export const checkManifest: ManifestCheck = (source) => check(source, manifestSchema, []);

function shapeOf({ shape }: ContributionPoint['options']): z.ZodType {
  return (shape ?? z.unknown()).optional();
}

/** Finds the declaration of the contribution that an issue refers to: `menus.0` of the definition. */
function placeOf(
  { path, message }: z.core.$ZodIssue,
  exported: object,
  owner: CodeFolder,
): Pick<Problem, 'file' | 'line'> {
  const [member = '', index = '', ...rest] = path;
  const list: unknown = Reflect.get(exported, member);
  const contribution: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  if ((typeof contribution !== 'object' && typeof contribution !== 'function') || contribution === null) return {};
  const { id, name = id } = contribution as { id?: unknown; name?: unknown };
  const words = [...namesIn(message), ...rest.slice(-1).map(String)];
  return declaredAt(contribution, owner, words, typeof name === 'string' ? name : undefined);
}

type ManifestFault = [message: string, remedy?: string];

function explain(issue: z.core.$ZodIssue, members: readonly string[]): ManifestFault[] {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const fullKey = place === '' ? key : `${place}.${key}`;
      return [
        `\`${fullKey}\` is nothing an addon has.`,
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

/** Names of an addon's contributions must start with its own name: routes, jobs, services, … */
function nameFaults(definition: AddonDefinition, points: readonly ContributionPoint[]): ManifestFault[] {
  const { name: addon, services = [] } = definition;
  const declaredNames = [
    ...services.flatMap((service) => ('key' in service ? [{ what: 'service', name: service.key.name }] : [])),
    ...points.flatMap(({ name: key, options: { names } }) => {
      const value: unknown = Reflect.get(definition, key);
      return value === undefined || !names ? [] : names.of(value).map((name) => ({ what: names.what, name }));
    }),
  ];
  return declaredNames
    .filter(({ name }) => !name.startsWith(`${addon}.`))
    .map(({ what, name }) => [
      `${what} "${name}" does not carry the addon's name.`,
      `Call it "${addon}.${name.replace(/^.*\./, '')}".`,
    ]);
}
