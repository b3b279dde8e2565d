import { type Addon, allPoints, createLog, discover, order, type Problem, rootCauses } from '@pergola/core';
import { buildGroups, buildRegistry, type ModelRegistry, placeProblems } from '@pergola/orm';
import { parts } from '../parts.ts';

/** The addons that could be loaded, with their models as if all of them were enabled. */
export interface LoadedAddons {
  readonly addons: readonly Addon[];
  readonly models: ModelRegistry;
  /** Why the others couldn't be loaded, and problems with dependencies, groups, models and rights; root causes only. */
  readonly problems: readonly Problem[];
}

/** Loads the addons in these roots. */
export async function loadAddons(roots: readonly string[]): Promise<LoadedAddons> {
  const discovery = await discover(roots, createLog('silent'), allPoints(parts));
  await discovery.loadAll();
  const { loaded: addons, problems } = discovery;
  const { ordered, problems: ofOrder } = order(addons);
  const { groups, problems: ofGroups } = buildGroups(ordered);
  const { registry, problems: ofModels } = buildRegistry(
    ordered.map(({ name, definition: { models, access, rules } }) => ({ name, models, access, rules })),
    { groups: groups.keys() },
  );
  const all = [...problems, ...ofOrder, ...placeProblems([...ofGroups, ...ofModels], addons)];
  return { addons, models: registry, problems: rootCauses(all) };
}
