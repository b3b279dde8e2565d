import { didYouMean, type Problem } from '../base/index.ts';
import type { Addon, ListedAddon } from './addon.ts';
import type { LifecycleParts } from './host.ts';
import type { LeftOut } from './left-out.ts';
import { dependants, dependencyClosure, order } from './order.ts';
import type { CodeReview, Consent, PlannedAddon, PlanReason, SwitchAction } from './plan.ts';
import { loadReviewed } from './reviewed-code.ts';
import type { AddonState, StoredAddon, SwitchQuestion } from './storage.ts';
import { compareVersions } from './versions.ts';

/** Addons on disk and in storage before a switch. */
export interface Inventory {
  /** Addons on disk, by name. */
  readonly addons: ReadonlyMap<string, ListedAddon>;
  /** Why other addons on disk can't be used. */
  readonly broken: readonly Problem[];
  /** Stored state of addons, by name. */
  readonly stored: ReadonlyMap<string, StoredAddon>;
  /** Enabled addons that this process runs without because they are broken here, and why: switching others doesn't change them. */
  readonly leftOut: LeftOut;
}

/** Reads the addons on disk and in storage. */
export async function takeInventory(
  { storage, discovery }: Pick<LifecycleParts, 'storage' | 'discovery'>,
  leftOut: LeftOut,
): Promise<Inventory> {
  return {
    addons: new Map(discovery.addons.map((addon) => [addon.name, addon])),
    broken: discovery.problems,
    stored: await storage.addons(),
    leftOut,
  };
}

/** Returns the enabled addons that can be built here, in dependency order; their code must have been loaded. */
export function buildable(
  enabled: ReadonlySet<string>,
  { discovery }: Pick<LifecycleParts, 'discovery'>,
  { leftOut }: Pick<Inventory, 'leftOut'>,
): Addon[] {
  return order(discovery.loaded.filter(({ name }) => enabled.has(name) && !leftOut.has(name))).ordered;
}

/** Intended result of a switch. */
export interface Target {
  /** Addons that take part, in dependency order. */
  readonly addons: readonly PlannedAddon[];
  /** Names of all addons enabled afterwards. */
  readonly enabled: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** Determines which addons take part in a switch, and why it is impossible, if so. */
export function targetOf(action: SwitchAction, names: readonly string[], inventory: Inventory): Target {
  const problems = names.flatMap((name) => unknownAddon(name, inventory) ?? []);
  if (problems.length > 0) return { addons: [], enabled: enabledOf(inventory), problems };
  return targets[action](names, inventory);
}

/** A target and its loaded code. */
export interface LoadedTarget {
  readonly inventory: Inventory;
  readonly target: Target;
  /** Code that isn't loaded because it needs consent. */
  readonly reviews: readonly CodeReview[];
}

/**
 * Loads the code of all addons that a switch leaves enabled, and returns its target: addons that fail to load are ruled out, like those
 * known to be broken.
 */
export async function loadedTarget(
  host: Pick<LifecycleParts, 'storage' | 'discovery' | 'reviewsCode'>,
  { action, names }: Pick<SwitchQuestion, 'action' | 'names'>,
  { leftOut, consent }: { readonly leftOut: LeftOut; readonly consent?: Consent },
): Promise<LoadedTarget> {
  const listed = await takeInventory(host, leftOut);
  const target = targetOf(action, names, listed);
  const wanted = [...target.enabled].filter((name) => !leftOut.has(name));
  const reviews = await loadReviewed(host, wanted, consent);
  if (host.discovery.addons.length === listed.addons.size) return { inventory: listed, target, reviews };
  const inventory = await takeInventory(host, leftOut);
  return { inventory, target: targetOf(action, names, inventory), reviews };
}

/** Names of the addons enabled now. */
function enabledOf({ stored }: Pick<Inventory, 'stored'>): Set<string> {
  return new Set([...stored.values()].filter(({ state }) => state === 'enabled').map(({ name }) => name));
}

const targets: Readonly<Record<SwitchAction, (names: readonly string[], inventory: Inventory) => Target>> = {
  enable(names, inventory) {
    const enabledBefore = enabledOf(inventory);
    const reasons = new Map<string, PlanReason>(names.map((name) => [name, 'asked']));
    for (const name of names) {
      for (const dependency of dependencyClosure(name, inventory.addons))
        if (!reasons.has(dependency)) reasons.set(dependency, 'needed');
    }
    for (const name of autoAddons(new Set([...enabledBefore, ...reasons.keys()]), enabledBefore, inventory))
      reasons.set(name, 'auto');
    for (const name of enabledBefore) reasons.delete(name);
    const enabled = new Set([...enabledBefore, ...reasons.keys()]);
    return {
      addons: planned(reasons, 'enabled', inventory),
      enabled,
      problems: [...brokenHere([...names, ...reasons.keys()], inventory), ...blockers(reasons, enabled, inventory)],
    };
  },

  disable(names, inventory) {
    const enabledBefore = enabledOf(inventory);
    const enabledAddons = [...enabledBefore].flatMap((name) => inventory.addons.get(name) ?? []);
    const going = names.filter((name) => enabledBefore.has(name));
    const reasons = new Map<string, PlanReason>(going.map((name) => [name, 'asked']));
    for (const name of dependants(going, enabledAddons)) reasons.set(name, 'dependant');
    const enabled = new Set([...enabledBefore].filter((name) => !reasons.has(name)));
    return { addons: planned(reasons, 'disabled', inventory), enabled, problems: permanentAmong(reasons, inventory) };
  },

  uninstall(names, inventory) {
    const installed = new Set(
      [...inventory.stored.values()].filter(({ state }) => state !== 'uninstalled').map(({ name }) => name),
    );
    const addons = [...installed].flatMap((name) => inventory.addons.get(name) ?? []);
    const going = names.filter((name) => installed.has(name));
    const reasons = new Map<string, PlanReason>(going.map((name) => [name, 'asked']));
    // Data of a disabled addon refers to tables of its dependencies.
    for (const name of dependants(going, addons)) reasons.set(name, 'dependant');
    const enabled = new Set([...enabledOf(inventory)].filter((name) => !reasons.has(name)));
    return {
      addons: planned(reasons, 'uninstalled', inventory),
      enabled,
      problems: permanentAmong(reasons, inventory),
    };
  },

  upgrade(names, inventory) {
    const enabled = enabledOf(inventory);
    const reasons = new Map<string, PlanReason>();
    // A disabled addon is upgraded when it is enabled again.
    for (const name of names.length > 0 ? names.filter((requested) => enabled.has(requested)) : enabled) {
      const storedVersion = inventory.stored.get(name)?.version;
      const onDisk = inventory.addons.get(name)?.definition.version;
      if (storedVersion && onDisk && compareVersions(onDisk, storedVersion) > 0) reasons.set(name, 'asked');
    }
    // New code may bring new permanent addons.
    if (names.length === 0)
      for (const { name, definition } of inventory.addons.values())
        if (definition.permanent && !enabled.has(name)) reasons.set(name, 'needed');
    // A new version may need addons that the previous one didn't.
    for (const name of [...reasons.keys()]) {
      for (const dependency of dependencyClosure(name, inventory.addons)) {
        if (!enabled.has(dependency) && !reasons.has(dependency)) reasons.set(dependency, 'needed');
      }
    }
    const unusable = [...(names.length > 0 ? names : enabled)].filter((name) => !reasons.has(name));
    for (const [name, reason] of reasons) if (reason === 'needed') enabled.add(name);
    // Other broken addons don't block an upgrade unless they were requested.
    const reportUnusable = names.length > 0 || reasons.size === 0;
    return {
      addons: planned(reasons, 'enabled', inventory),
      enabled,
      problems: [
        ...blockers(reasons, enabled, inventory),
        ...(reportUnusable ? unusable.flatMap((name) => whyNotUpgraded(name, inventory)) : []),
      ],
    };
  },

  refresh: (_names, inventory) => ({ addons: [], enabled: enabledOf(inventory), problems: [] }),
};

/** Glue addons whose dependencies are now all enabled, at least one of them newly: addons disabled by hand stay disabled. */
function autoAddons(target: Set<string>, enabledBefore: ReadonlySet<string>, { addons, leftOut }: Inventory): string[] {
  const serves = (name: string): boolean => target.has(name) && addons.has(name) && !leftOut.has(name);
  const added: string[] = [];
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const { name, definition } of addons.values()) {
      const { auto = false, depends = [] } = definition;
      if (!auto || target.has(name) || leftOut.has(name) || depends.length === 0) continue;
      if (!depends.every(serves) || depends.every((dependency) => enabledBefore.has(dependency))) continue;
      target.add(name);
      added.push(name);
      hasGrown = true;
    }
  }
  return added;
}

function planned(
  reasons: ReadonlyMap<string, PlanReason>,
  to: AddonState,
  { addons, broken, stored }: Inventory,
): PlannedAddon[] {
  const loaded = [...reasons.keys()].flatMap((name) => addons.get(name) ?? []);
  const inOrder = order(
    loaded.map(({ name, definition }) => ({
      name,
      definition: { depends: (definition.depends ?? []).filter((dependency) => reasons.has(dependency)) },
    })),
  );
  const names = new Set([...inOrder.ordered.map(({ name }) => name), ...reasons.keys()]);
  // An unknown addon is reported, not planned.
  const exists = (name: string): boolean =>
    addons.has(name) || stored.has(name) || broken.some(({ addon }) => addon === name);
  return [...names].filter(exists).map((name) => {
    const row = stored.get(name);
    const from = row?.state ?? 'uninstalled';
    const fromVersion = row?.version ?? null;
    const onDisk = addons.get(name)?.definition.version ?? null;
    const toVersion = to === 'uninstalled' ? null : to === 'disabled' ? fromVersion : onDisk;
    return {
      name,
      title: addons.get(name)?.definition.title ?? name,
      from,
      to,
      fromVersion,
      toVersion,
      reason: reasons.get(name) ?? 'asked',
    };
  });
}

function unknownAddon(name: string, { addons, broken, stored }: Inventory): Problem | null {
  if (addons.has(name) || stored.has(name) || broken.some(({ addon }) => addon === name)) return null;
  return {
    addon: name,
    message: 'there is no addon of this name.',
    remedy: didYouMean(name, addons.keys()) || 'See `pergola list`, or add the folder that holds it to ADDONS_PATH.',
  };
}

/** Why addons can't be enabled together with the others. */
function blockers(
  reasons: ReadonlyMap<string, PlanReason>,
  enabled: ReadonlySet<string>,
  inventory: Inventory,
): Problem[] {
  const usable = [...enabled]
    .filter((name) => !inventory.leftOut.has(name))
    .flatMap((name) => inventory.addons.get(name) ?? []);
  const { problems } = order(usable, [...inventory.addons.keys(), ...inventory.leftOut.keys()]);
  return [
    ...brokenAmong(reasons, inventory),
    ...problems.filter(({ addon }) => reasons.has(addon) && !needsBroken(addon, reasons, inventory)),
    ...tooOld(reasons.keys(), inventory),
  ];
}

/** Why an addon without a newer version can't be used or has nothing to upgrade; empty if it is enabled and works. */
function whyNotUpgraded(name: string, inventory: Inventory): readonly Problem[] {
  const leftOutReasons = brokenHere([name], inventory);
  const reasons = leftOutReasons.length > 0 ? leftOutReasons : brokenAmong(new Map([[name, 'asked']]), inventory);
  if (inventory.stored.get(name)?.state === 'enabled') return [...reasons, ...tooOld([name], inventory)];
  const notEnabled = {
    addon: name,
    message: 'is not enabled, so there is nothing to upgrade.',
    remedy: `Enable it, which brings it to the version on disk: \`pergola enable ${name}\``,
  };
  return reasons.length > 0 ? reasons : [notEnabled];
}

/** Whether an addon needs another that can't be used: only the other's problem is reported. */
function needsBroken(
  name: string,
  reasons: ReadonlyMap<string, PlanReason>,
  { addons, broken, leftOut }: Inventory,
): boolean {
  const dependencies = dependencyClosure(name, addons);
  return (
    [...leftOut.keys()].some((addon) => dependencies.has(addon)) ||
    broken.some(({ addon }) => dependencies.has(addon) && reasons.has(addon))
  );
}

/** Why enabled addons among these or their dependencies are left out here. */
function brokenHere(names: readonly string[], { addons, leftOut }: Inventory): Problem[] {
  const relevant = new Set(names.flatMap((name) => [name, ...dependencyClosure(name, addons)]));
  return [...leftOut].flatMap(([name, reasons]) => (relevant.has(name) ? reasons : []));
}

function brokenAmong(reasonByName: ReadonlyMap<string, PlanReason>, { addons, broken, stored }: Inventory): Problem[] {
  return [...reasonByName].flatMap(([name, reason]): readonly Problem[] => {
    if (addons.has(name)) return [];
    const reasons = broken.filter(({ addon }) => addon === name);
    if (reasons.length > 0) return reasons;
    // If an addon never existed, blame the addon that depends on it.
    if (reason === 'needed' && !stored.has(name)) return [];
    const message = 'its folder is in none of the addon folders of this machine.';
    return [{ addon: name, message, remedy: 'Put it back, or add the folder that holds it to ADDONS_PATH.' }];
  });
}

/** Addons whose data in the database is newer than the code on disk. */
function tooOld(names: Iterable<string>, { addons, stored }: Inventory): Problem[] {
  return [...names].flatMap((name): Problem[] => {
    const storedVersion = stored.get(name)?.version;
    const onDisk = addons.get(name)?.definition.version;
    if (!storedVersion || !onDisk || compareVersions(onDisk, storedVersion) >= 0) return [];
    const message = `the version on disk (${onDisk}) is older than the one the database was made for (${storedVersion}).`;
    return [{ addon: name, message, remedy: `Put version ${storedVersion} or a newer one on disk.` }];
  });
}

function permanentAmong(reasons: ReadonlyMap<string, PlanReason>, { addons }: Inventory): Problem[] {
  return [...reasons.keys()].flatMap((name): Problem[] =>
    addons.get(name)?.definition.permanent
      ? [{ addon: name, message: 'cannot be switched off: no site works without it.' }]
      : [],
  );
}
