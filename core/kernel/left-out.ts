import type { Problem } from '../base/index.ts';
import type { Addon, ListedAddon } from './addon.ts';
import type { Generation } from './generation.ts';
import type { BuildResult, LifecycleParts } from './host.ts';
import { dependants } from './order.ts';
import type { GenerationRecord } from './storage.ts';

/** Addons that can't be served here, with the reasons. */
export type LeftOut = ReadonlyMap<string, readonly Problem[]>;

/** Returns the addons with these problems and their dependants, each with its reasons. */
export function leaveOut(problems: readonly Problem[], addons: readonly ListedAddon[]): Map<string, Problem[]> {
  const reasons = new Map<string, Problem[]>();
  for (const problem of problems) reasons.set(problem.addon, [...(reasons.get(problem.addon) ?? []), problem]);
  const following = dependants(reasons.keys(), addons);
  const out = new Set([...reasons.keys(), ...following]);
  for (const name of following) {
    const dependencies = addons.find((addon) => addon.name === name)?.definition.depends ?? [];
    const causes = dependencies.filter((dependency) => out.has(dependency)).join(', ');
    const message = `is left out because it depends on ${causes}, which cannot be used.`;
    reasons.set(name, [{ addon: name, message, because: causes }]);
  }
  return reasons;
}

/**
 * Builds a generation for the start, where something must be served: leaves out addons with problems and their dependants until the rest
 * builds. Doesn't throw; returns no generation if a permanent addon has to be left out.
 *
 * @param misfits finds problems of addons that build but still can't be served
 */
export async function buildWithoutBroken(
  { build }: Pick<LifecycleParts, 'build'>,
  record: GenerationRecord,
  candidates: readonly Addon[],
  misfits: (generation: Generation) => Promise<readonly Problem[]> = async () => [],
): Promise<BuildResult & { readonly leftOut: LeftOut }> {
  const leftOut = new Map<string, readonly Problem[]>();
  for (let addons = candidates; ; addons = addons.filter(({ name }) => !leftOut.has(name))) {
    const result = await build(record, addons);
    const problems = result.generation ? await misfits(result.generation) : result.problems;
    if (result.generation && problems.length === 0) return { ...result, leftOut };
    await result.generation?.dispose();
    for (const [name, reasons] of leaveOut(problems, addons)) leftOut.set(name, reasons);
    const permanent = addons.some(({ name, definition }) => definition.permanent && leftOut.has(name));
    const isStuck = problems.every(({ addon }) => !addons.some(({ name }) => name === addon));
    if (permanent || isStuck) return { problems, leftOut };
  }
}
