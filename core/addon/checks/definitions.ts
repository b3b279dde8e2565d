import { CronExpressionParser } from 'cron-parser';
import type { Problem } from '../../errors.ts';
import type { LoadedAddon } from '../../generation.ts';
import { didYouMean } from '../../model/build/closest.ts';
import type { ModelRegistry } from '../../model/registry.ts';
import { dependencyClosure } from '../order.ts';

/** What smaller declarations are checked against. */
export interface Known {
  readonly models: ModelRegistry;
  readonly groups: ReadonlyMap<string, unknown>;
  /** Names of all templates. */
  readonly templates: ReadonlySet<string>;
}

/**
 * Blocks, fragments, mails and public templates against the templates; public methods against the models; settings against the groups;
 * timetables; contributions against the addons whose points they name.
 */
export function checkDefinitions(addons: readonly LoadedAddon[], known: Known): Problem[] {
  const byName = new Map(addons.map((addon) => [addon.name, addon]));
  return addons.flatMap((addon) =>
    [
      ...templateFaults(addon, known),
      ...methodFaults(addon, known),
      ...settingFaults(addon, known),
      ...timetableFaults(addon),
      ...contributionFaults(addon, byName),
    ].map(([message, remedy]) => ({ addon: addon.name, message, remedy: remedy || undefined })),
  );
}

type Fault = readonly [message: string, remedy: string];

function templateFaults({ definition }: LoadedAddon, { templates }: Known): Fault[] {
  const uses = [
    ...(definition.blocks ?? []).map(({ id, template }) => ({ what: `block "${id}"`, template })),
    ...(definition.fragments ?? []).map(({ id, template }) => ({ what: `fragment "${id}"`, template })),
    ...(definition.mails ?? []).map(({ name, template }) => ({ what: `mail "${name}"`, template })),
    ...(definition.public?.templates ?? []).map((template) => ({ what: '`public.templates`', template })),
  ];
  return uses
    .filter(({ template }) => !templates.has(template))
    .map(({ what, template }) => [
      `${what} names the template "${template}", which is not there.`,
      didYouMean(template, templates),
    ]);
}

function methodFaults({ definition }: LoadedAddon, { models }: Known): Fault[] {
  return (definition.public?.methods ?? []).flatMap(({ model, method }): Fault[] => {
    const compiled = models.get(model);
    if (!compiled)
      return [
        [
          `public method "${model}.${method}" is of a model that is not there.`,
          didYouMean(model, models.models.keys()),
        ],
      ];
    const isMethod = typeof (compiled.Class.prototype as unknown as Record<string, unknown>)[method] === 'function';
    return isMethod ? [] : [[`public method "${model}.${method}" is not there: the model has no such method.`, '']];
  });
}

function settingFaults({ definition }: LoadedAddon, { groups }: Known): Fault[] {
  return (definition.settings ?? []).flatMap(({ name, groups: group, schema, fallback }): Fault[] => {
    const faults: Fault[] = [];
    if (group !== undefined && !groups.has(group)) {
      faults.push([
        `setting "${name}" is for the group "${group}", which is not there.`,
        didYouMean(group, groups.keys()),
      ]);
    }
    if (!schema.safeParse(fallback).success)
      faults.push([`setting "${name}" has a default that its own schema refuses.`, '']);
    return faults;
  });
}

function timetableFaults({ definition }: LoadedAddon): Fault[] {
  return (definition.jobs ?? []).flatMap(({ name, cron }): Fault[] => {
    if (cron === undefined) return [];
    try {
      if (cron.trim().split(/\s+/).length !== 5) throw new Error('it has not five fields');
      CronExpressionParser.parse(cron, { tz: 'UTC' });
      return [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [
        [
          `the timetable "${cron}" of job "${name}" cannot be read: ${why}.`,
          'Write five fields: minute, hour, day, month, weekday.',
        ],
      ];
    }
  });
}

/** A point is named after the addon that reads it, so that one must be there, and be among what the contributor depends on. */
function contributionFaults({ name, definition }: LoadedAddon, byName: ReadonlyMap<string, LoadedAddon>): Fault[] {
  const reachable = dependencyClosure(name, byName);
  return (definition.contributes ?? []).flatMap(({ point }): Fault[] => {
    const owner = point.split('.')[0] ?? '';
    if (owner === 'core' || owner === name || reachable.has(owner)) return [];
    return [
      [
        `contributes to "${point}", and does not depend on an addon "${owner}" that could read it.`,
        `Add "${owner}" to \`depends\`.`,
      ],
    ];
  });
}
