import type { Problem } from '../base/errors.ts';
import { readModules } from '../install/module-store.ts';
import type { Addon } from './addon.ts';
import type { LifecycleHost } from './host.ts';
import { dependants, order } from './order.ts';
import type { World } from './target.ts';

/** Addons that cannot be served here, with the reasons. */
export type LeftOut = ReadonlyMap<string, readonly Problem[]>;

/** Reads what there is before a switch. */
export async function readWorld(host: Pick<LifecycleHost, 'database' | 'discovery'>, leftOut: LeftOut): Promise<World> {
  return {
    addons: new Map(host.discovery.addons.map((addon) => [addon.name, addon])),
    broken: host.discovery.problems,
    modules: await readModules(host.database),
    leftOut: new Set(leftOut.keys()),
  };
}

/** Of these enabled addons, those that can be built here, in dependency order. */
export function buildable(enabled: Iterable<string>, { addons, leftOut }: Pick<World, 'addons' | 'leftOut'>): Addon[] {
  return order([...enabled].filter((name) => !leftOut.has(name)).flatMap((name) => addons.get(name) ?? [])).ordered;
}

/** The addons with these problems and those that need them, each with its reasons. */
export function leaveOut(problems: readonly Problem[], addons: readonly Addon[]): Map<string, Problem[]> {
  const reasons = new Map<string, Problem[]>();
  for (const problem of problems) reasons.set(problem.addon, [...(reasons.get(problem.addon) ?? []), problem]);
  const following = dependants(reasons.keys(), addons);
  const out = new Set([...reasons.keys(), ...following]);
  for (const name of following) {
    const needed = addons.find((addon) => addon.name === name)?.definition.depends ?? [];
    const through = needed.filter((one) => out.has(one)).join(', ');
    reasons.set(name, [
      { addon: name, message: `is left out because it depends on ${through}, which cannot be used.` },
    ]);
  }
  return reasons;
}
