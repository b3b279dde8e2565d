import type { Problem } from '../base/errors.ts';
import type { ModuleState } from '../install/module-store.ts';
import type { LifecycleHost } from './host.ts';
import { type LeftOut, readWorld } from './world.ts';

/** An addon as the Apps screen and `pergola list` show it. */
export interface AddonStatus {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string | null;
  readonly icon: string | null;
  readonly state: ModuleState;
  /** Of the schema and data in the database. */
  readonly version: string | null;
  /** On this machine; null when it is not there. */
  readonly versionOnDisk: string | null;
  readonly depends: readonly string[];
  readonly permanent: boolean;
  readonly auto: boolean;
  readonly outside: boolean;
  /** Enabled, but left out here because it is broken. */
  readonly leftOut: boolean;
  /** Why it is broken, or why the last switch failed. */
  readonly problems: readonly Problem[];
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
}

/** Every addon there is on this machine or in the database, by name. */
export async function listAddons(host: LifecycleHost, leftOut: LeftOut): Promise<AddonStatus[]> {
  const world = await readWorld(host, leftOut);
  const names = new Set([...world.addons.keys(), ...world.modules.keys(), ...world.broken.map(({ addon }) => addon)]);
  return [...names].sort().map((name) => {
    const definition = world.addons.get(name)?.definition;
    const row = world.modules.get(name);
    const reasons = leftOut.get(name) ?? world.broken.filter(({ addon }) => addon === name);
    return {
      name,
      title: definition?.title ?? name,
      summary: definition?.summary ?? '',
      category: definition?.category ?? null,
      icon: definition?.icon ?? null,
      state: row?.state ?? 'uninstalled',
      version: row?.version ?? null,
      versionOnDisk: definition?.version ?? null,
      depends: definition?.depends ?? [],
      permanent: definition?.permanent ?? false,
      auto: definition?.auto ?? false,
      outside: world.addons.get(name)?.outside ?? false,
      leftOut: leftOut.has(name),
      problems: reasons.length > 0 ? reasons : (row?.lastError ?? []),
      changedAt: row?.changedAt ?? null,
      changedBy: row?.changedBy ?? null,
    };
  });
}
