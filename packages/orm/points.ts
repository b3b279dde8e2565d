import {
  type Addon,
  buildInputs,
  type Contribution,
  type Ctx,
  callable,
  codeMeter,
  contributionPoint,
  id,
  inSlices,
  shaped,
  text,
  values,
} from '@pergola/core';
import { z } from 'zod';
import type { AccessList, GroupDefinition, RecordRule } from './access/define.ts';
import { buildGroups } from './access/groups.ts';
import { audit } from './audit.ts';
import { registrySteps } from './build-registry.ts';
import { DECLARATION, modelKey } from './model.ts';
import { pendingFields } from './pending-fields.ts';
import { modelsWithoutAccess, placeProblems } from './places.ts';
import type { ModelRef } from './types.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Models, and extensions of other addons' models. */
    models: readonly ModelRef[];
    /** Sets of users: `group(…)`. */
    groups: readonly GroupDefinition[];
    /** Rights of groups on the records of a model: `access(…)`. */
    access: readonly AccessList[];
    /** Records that these rights cover: `rule(…)`. */
    rules: readonly RecordRule[];
  }
}

/** Sets of users by id, each with all groups it implies. */
export const groups = contributionPoint('groups', {
  shape: z.array(
    shaped('a group', '`group(…)`', { id, label: text, implies: z.array(id), impliedBy: z.array(id).optional() }),
  ),
  names: { what: 'group', of: (list) => list.map((group) => group.id) },
  build({ addons, report }) {
    const built = buildGroups(addons);
    placeProblems(built.problems, addons).forEach(report);
    return built.groups;
  },
});

const accessLists = contributionPoint('access', {
  shape: z.array(shaped('an access list', '`access(…)`', { model: text, rights: z.record(z.string(), z.string()) })),
  build: ({ contributions }) => contributions,
});

const recordRules = contributionPoint('rules', {
  shape: z.array(
    shaped('a record rule', '`rule(…)`', {
      id,
      model: text,
      groups: z.array(id),
      operations: text,
      domain: callable,
    }),
  ),
  names: { what: 'rule', of: (list) => list.map((rule) => rule.id) },
  build: ({ contributions }) => contributions,
});

const isModel = (value: unknown): boolean => typeof value === 'function' && DECLARATION in value;

/** The models with their extensions, rights and rules. */
export const models = contributionPoint('models', {
  shape: z.array(
    z.custom(isModel, 'must be a model: a class that extends `model(…)`, or the result of `extend(…)` or `mixin(…)`'),
  ),
  needs: {
    groups,
    access: accessLists,
    rules: recordRules,
    inputs: buildInputs,
    pendingFields,
    languages: values.languages,
    log: values.log,
    meter: codeMeter,
  },
  async build({ addons, needs, pause, report }) {
    const { access, rules, inputs } = needs;
    const steps = registrySteps(
      addons.map((addon) => ({
        name: addon.name,
        models: addon.definition.models,
        access: registeredBy(access, addon),
        rules: registeredBy(rules, addon),
      })),
      {
        languages: needs.languages,
        groups: needs.groups.keys(),
        known: inputs.allAddons.map(({ name, definition }) => ({ name, models: definition.models })),
        pendingFields: needs.pendingFields,
        measured: needs.meter.methods,
      },
    );
    const { registry, problems } = await inSlices(steps, pause);
    placeProblems(problems, addons).forEach(report);
    for (const problem of modelsWithoutAccess(registry, addons))
      needs.log.warn({ addon: problem.addon, problem }, 'No access list allows reading a model');
    return registry;
  },
  perRequest: (registry) =>
    Object.fromEntries(
      [...registry.models.keys()].map((name) => [
        modelKey(name).name,
        (cradle) => (cradle[values.ctx.name] as Ctx).modelNamed(name),
      ]),
    ),
});

function registeredBy<C>(contributions: readonly Contribution<C>[], addon: Addon): C | undefined {
  return contributions.find((contribution) => contribution.addon === addon)?.value;
}

export const modelPoints = [groups, accessLists, recordRules, models, audit];
