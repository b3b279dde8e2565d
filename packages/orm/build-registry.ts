import { atOnce, type CodeMeter, type Problem } from '@pergola/core';
import { buildAccess } from './access/build.ts';
import { checkDrafts } from './build/check.ts';
import { type AddonModels, absentModels, collect, reportTo } from './build/collect.ts';
import { draftModels } from './build/draft.ts';
import { finishModel } from './build/finish.ts';
import { addFoldColumns } from './build/fold-columns.ts';
import type { CompiledModel } from './compiled.ts';
import { dependencyGraph } from './compute/graph.ts';
import { ModelRegistry } from './registry.ts';

export type { AddonModels } from './build/collect.ts';

export interface RegistryOptions {
  /** Languages of translated texts, the default one first. Only `en_US` if omitted. */
  readonly languages?: readonly string[];
  /** Ids of the existing groups; access lists and rules that name others are reported. Not checked if omitted. */
  readonly groups?: Iterable<string>;
  /** All addons on disk, enabled or not, so that problems can name the addon that defines a missing model. */
  readonly known?: readonly AddonModels[];
  /** Stored computed fields (`model.field`) to calculate when read, until a job has filled their columns. */
  readonly pendingFields?: Iterable<string>;
  /** Returns a class whose methods are measured as code of an addon; not measured if omitted. */
  readonly measured?: CodeMeter['methods'];
}

/**
 * Builds the models of the enabled addons (in dependency order) with their extensions, rights and rules, and reports every problem. A
 * registry with problems can be inspected, but must not serve requests.
 */
export function buildRegistry(
  addons: readonly AddonModels[],
  options: RegistryOptions = {},
): { registry: ModelRegistry; problems: Problem[] } {
  return atOnce(registrySteps(addons, options));
}

/** {@link buildRegistry} in small steps, for a process that keeps serving requests. */
export function* registrySteps(
  addons: readonly AddonModels[],
  options: RegistryOptions = {},
): Generator<void, { registry: ModelRegistry; problems: Problem[] }> {
  const {
    languages = ['en_US'],
    known: allAddons = [],
    groups,
    pendingFields = [],
    measured = (_addon, code) => code,
  } = options;
  const problems: Problem[] = [];
  const report = reportTo(problems);
  const absent = absentModels(allAddons, new Set(addons.map(({ name }) => name)));
  const collected = collect(addons, absent, report);
  yield;
  const drafts = draftModels(collected, report);
  yield;
  checkDrafts(drafts, absent, report);
  yield;
  addFoldColumns(drafts);
  const models = new Map<string, CompiledModel>();
  for (const [name, draft] of drafts) {
    models.set(name, finishModel(draft, { languages, measured, report }));
    yield;
  }
  const access = buildAccess(addons, models, groups ? new Set(groups) : null, report);
  const registry = new ModelRegistry({ models, access, languages, absent, pendingFields: new Set(pendingFields) });
  yield;
  if (problems.length === 0) problems.push(...dependencyGraph(registry).problems);
  return { registry, problems };
}
