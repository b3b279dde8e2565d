import { didYouMean } from '../base/edit-distance.ts';
import type { Problem } from '../base/errors.ts';
import type { ModuleRow, ModuleState } from '../install/module-store.ts';
import type { Addon } from './addon.ts';
import { dependants, dependencyClosure, order } from './order.ts';
import type { PlannedAddon, PlanReason, SwitchAction } from './plan.ts';
import { compareVersions } from './versions.ts';

/** What there is before a switch. */
export interface World {
  /** Addons on disk, by name. */
  readonly addons: ReadonlyMap<string, Addon>;
  /** Why others on disk cannot be used. */
  readonly broken: readonly Problem[];
  /** What the database knows. */
  readonly modules: ReadonlyMap<string, ModuleRow>;
  /** Enabled addons that this process runs without, because they are broken here: a switch of others leaves them as they are. */
  readonly leftOut: ReadonlySet<string>;
}

/** What a switch is to make of the addons. */
export interface Target {
  /** Those that take part, in dependency order. */
  readonly addons: readonly PlannedAddon[];
  /** Names of all that are enabled afterwards. */
  readonly enabled: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** Works out which addons take part in a switch, and why it cannot be done, if so. */
export function targetOf(action: SwitchAction, names: readonly string[], world: World): Target {
  const problems = names.flatMap((name) => unknownAddon(name, world) ?? []);
  if (problems.length > 0) return { addons: [], enabled: enabledOf(world), problems };
  return targets[action](names, world);
}

/** Names of the addons that are enabled now. */
export function enabledOf({ modules }: Pick<World, 'modules'>): Set<string> {
  return new Set([...modules.values()].filter(({ state }) => state === 'enabled').map(({ name }) => name));
}

const targets: Readonly<Record<SwitchAction, (names: readonly string[], world: World) => Target>> = {
  enable(names, world) {
    const before = enabledOf(world);
    const reasons = new Map<string, PlanReason>(names.map((name) => [name, 'asked']));
    for (const name of names) {
      for (const needed of dependencyClosure(name, world.addons))
        if (!reasons.has(needed)) reasons.set(needed, 'needed');
    }
    for (const name of autoAddons(new Set([...before, ...reasons.keys()]), before, world)) reasons.set(name, 'auto');
    for (const name of before) reasons.delete(name);
    const enabled = new Set([...before, ...reasons.keys()]);
    return { addons: planned(reasons, 'enabled', world), enabled, problems: hindrances(reasons, enabled, world) };
  },

  disable(names, world) {
    const before = enabledOf(world);
    const enabledAddons = [...before].flatMap((name) => world.addons.get(name) ?? []);
    const going = names.filter((name) => before.has(name));
    const reasons = new Map<string, PlanReason>(going.map((name) => [name, 'asked']));
    for (const name of dependants(going, enabledAddons)) reasons.set(name, 'dependant');
    const enabled = new Set([...before].filter((name) => !reasons.has(name)));
    return { addons: planned(reasons, 'disabled', world), enabled, problems: permanentAmong(reasons, world) };
  },

  uninstall(names, world) {
    const there = new Set(
      [...world.modules.values()].filter(({ state }) => state !== 'uninstalled').map(({ name }) => name),
    );
    const addons = [...there].flatMap((name) => world.addons.get(name) ?? []);
    const going = names.filter((name) => there.has(name));
    const reasons = new Map<string, PlanReason>(going.map((name) => [name, 'asked']));
    // What a disabled addon keeps refers to tables of those it depends on.
    for (const name of dependants(going, addons)) reasons.set(name, 'dependant');
    const enabled = new Set([...enabledOf(world)].filter((name) => !reasons.has(name)));
    return { addons: planned(reasons, 'uninstalled', world), enabled, problems: permanentAmong(reasons, world) };
  },

  upgrade(names, world) {
    const enabled = enabledOf(world);
    const reasons = new Map<string, PlanReason>();
    // One that is switched off is brought up to date when it is enabled again.
    for (const name of names.length > 0 ? names.filter((one) => enabled.has(one)) : enabled) {
      const there = world.modules.get(name)?.version;
      const onDisk = world.addons.get(name)?.definition.version;
      if (there && onDisk && compareVersions(onDisk, there) > 0) reasons.set(name, 'asked');
    }
    // A new version may need addons that the one before did not.
    for (const name of [...reasons.keys()]) {
      for (const needed of dependencyClosure(name, world.addons)) {
        if (!enabled.has(needed) && !reasons.has(needed)) reasons.set(needed, 'needed');
      }
    }
    for (const [name, reason] of reasons) if (reason === 'needed') enabled.add(name);
    return { addons: planned(reasons, 'enabled', world), enabled, problems: hindrances(reasons, enabled, world) };
  },

  refresh: (_names, world) => ({ addons: [], enabled: enabledOf(world), problems: [] }),
};

/** Glue addons whose dependencies are all there now, at least one of them new: what was switched off by hand stays off. */
function autoAddons(target: Set<string>, before: ReadonlySet<string>, { addons, leftOut }: World): string[] {
  const serves = (name: string): boolean => target.has(name) && addons.has(name) && !leftOut.has(name);
  const found: string[] = [];
  for (let grown = true; grown; ) {
    grown = false;
    for (const { name, definition } of addons.values()) {
      const { auto = false, depends = [] } = definition;
      if (!auto || target.has(name) || leftOut.has(name) || depends.length === 0) continue;
      if (!depends.every(serves) || depends.every((needed) => before.has(needed))) continue;
      target.add(name);
      found.push(name);
      grown = true;
    }
  }
  return found;
}

function planned(
  reasons: ReadonlyMap<string, PlanReason>,
  to: ModuleState,
  { addons, modules }: World,
): PlannedAddon[] {
  const known = [...reasons.keys()].flatMap((name) => addons.get(name) ?? []);
  const inOrder = order(
    known.map(({ name, definition }) => ({
      name,
      definition: { depends: (definition.depends ?? []).filter((one) => reasons.has(one)) },
    })),
  );
  const names = new Set([...inOrder.ordered.map(({ name }) => name), ...reasons.keys()]);
  return [...names].map((name) => {
    const row = modules.get(name);
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

function unknownAddon(name: string, { addons, broken, modules }: World): Problem | null {
  if (addons.has(name) || modules.has(name) || broken.some(({ addon }) => addon === name)) return null;
  return {
    addon: name,
    message: 'there is no addon of this name.',
    remedy: didYouMean(name, addons.keys()) || 'See `pergola list`, or add the folder that holds it to ADDONS_PATH.',
  };
}

/** Why addons cannot be enabled among those that then are. */
function hindrances(reasons: ReadonlyMap<string, PlanReason>, enabled: ReadonlySet<string>, world: World): Problem[] {
  const usable = [...enabled]
    .filter((name) => !world.leftOut.has(name))
    .flatMap((name) => world.addons.get(name) ?? []);
  const { problems } = order(usable, [...world.addons.keys(), ...world.leftOut]);
  return [
    ...brokenAmong(reasons.keys(), world),
    ...problems.filter(({ addon }) => reasons.has(addon)),
    ...tooOld(reasons.keys(), world),
  ];
}

function brokenAmong(names: Iterable<string>, { addons, broken }: World): Problem[] {
  return [...names].flatMap((name): readonly Problem[] => {
    if (addons.has(name)) return [];
    const reasons = broken.filter(({ addon }) => addon === name);
    if (reasons.length > 0) return reasons;
    const message = 'its folder is in none of the addon folders of this machine.';
    return [{ addon: name, message, remedy: 'Put it back, or add the folder that holds it to ADDONS_PATH.' }];
  });
}

/** Addons whose data in the database is of another version than the code on disk. */
function tooOld(names: Iterable<string>, { addons, modules }: World): Problem[] {
  return [...names].flatMap((name): Problem[] => {
    const there = modules.get(name)?.version;
    const onDisk = addons.get(name)?.definition.version;
    if (!there || !onDisk || compareVersions(onDisk, there) >= 0) return [];
    const message = `the version on disk (${onDisk}) is older than the one the database was made for (${there}).`;
    return [{ addon: name, message, remedy: `Put version ${there} or a newer one on disk.` }];
  });
}

function permanentAmong(reasons: ReadonlyMap<string, PlanReason>, { addons }: World): Problem[] {
  return [...reasons.keys()].flatMap((name): Problem[] =>
    addons.get(name)?.definition.permanent
      ? [{ addon: name, message: 'cannot be switched off: everything else stands on it.' }]
      : [],
  );
}
