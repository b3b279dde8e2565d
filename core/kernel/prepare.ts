import type { Problem } from '../base/index.ts';
import type { Addon } from './addon.ts';
import { missingProblem, newerCodeOf } from './follow.ts';
import type { Generation } from './generation.ts';
import type { LifecycleHost } from './host.ts';
import { type Plan, type PlanItem, planOf } from './plan.ts';
import type { GenerationRecord, PreparedChange, SwitchQuestion } from './storage.ts';
import { buildable, type Inventory, type Target } from './target.ts';

/** Result of preparing a switch, before anything is changed. */
export interface PreparedSwitch {
  readonly plan: Plan;
  /** Built but not serving yet; null if the plan has problems. */
  readonly generation: Generation | null;
  readonly change: PreparedChange;
}

/** Builds, checks and plans a switch that enables, upgrades or disables, see `loadedTarget`. Changes nothing. */
export async function prepareSwitch(
  host: LifecycleHost,
  inventory: Inventory,
  target: Target,
  question: SwitchQuestion,
): Promise<PreparedSwitch> {
  const record = await nextRecord(host, inventory, target);
  const blockers = [...target.problems, ...(await otherVersions(host, target, inventory))];
  const built =
    blockers.length > 0 ? { problems: blockers } : await host.build(record, buildable(target.enabled, host, inventory));
  const generation = built.generation ?? null;
  const coming = comingOf(target, question, generation, host.discovery.loaded);
  const change = await host.storage.prepare({ question, record, generation, coming });
  const problems = [...built.problems, ...change.problems];
  const items = [...change.items, ...visibleChanges(host, target, generation, question.action)];
  if (problems.length > 0) await generation?.dispose();
  return {
    plan: { ...planOf(question, target, items), problems },
    generation: problems.length > 0 ? null : generation,
    change,
  };
}

function comingOf(
  target: Target,
  { action, data = false }: SwitchQuestion,
  generation: Generation | null,
  loaded: readonly Addon[],
): readonly Addon[] {
  if (action !== 'refresh') {
    const ordered = target.addons.filter(({ to }) => to === 'enabled');
    return ordered.flatMap(({ name }) => loaded.find((addon) => addon.name === name) ?? []);
  }
  return (generation?.addons ?? []).filter(({ name }) => (typeof data === 'boolean' ? data : data.has(name)));
}

async function nextRecord(host: LifecycleHost, inventory: Inventory, target: Target): Promise<GenerationRecord> {
  const newest = await host.storage.newest();
  return {
    number: (newest?.number ?? 0) + 1,
    addons: versionsIn(target, inventory),
    data: await host.recordData(newest, buildable(target.enabled, host, inventory)),
  };
}

/** Versions of the addons enabled afterwards. */
function versionsIn(target: Target, { stored, addons }: Inventory): GenerationRecord['addons'] {
  const versionOf = (name: string): string =>
    target.addons.find((addon) => addon.name === name)?.toVersion ??
    stored.get(name)?.version ??
    addons.get(name)?.definition.version ??
    '0.0.0';
  return Object.fromEntries([...target.enabled].sort().map((name) => [name, versionOf(name)]));
}

/** Addons whose requested version isn't the one that this process has or can load. Ignores addons that are left out here. */
export async function otherVersions(host: LifecycleHost, target: Target, inventory: Inventory): Promise<Problem[]> {
  const { addons, leftOut } = inventory;
  const mismatches = Object.entries(versionsIn(target, inventory)).flatMap(([addon, version]) => {
    const loaded = addons.get(addon)?.definition.version ?? null;
    return loaded === version || leftOut.has(addon) ? [] : [{ addon, version, loaded }];
  });
  if (mismatches.length === 0) return [];
  const newer = await newerCodeOf(host);
  return mismatches.map((mismatch) => missingProblem(mismatch, newer));
}

/** Changes visitors and staff will notice. */
function visibleChanges(
  { discovery, holder }: LifecycleHost,
  target: Target,
  next: Generation | null,
  action: SwitchQuestion['action'],
): PlanItem[] {
  const changing = target.addons.filter(({ from, to }) => from !== to);
  const loaded = changing.flatMap(({ name }) => discovery.loaded.find((addon) => addon.name === name) ?? []);
  if (action !== 'disable' && action !== 'uninstall') return next?.changes(loaded, true) ?? [];
  return holder.ready ? holder.current.changes(loaded, false) : [];
}
