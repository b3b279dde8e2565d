import type { Problem } from '../base/index.ts';
import type { LifecycleHost } from './host.ts';
import type { LeftOut } from './left-out.ts';
import type { AddonState } from './storage.ts';
import { takeInventory } from './target.ts';

/** An addon as shown by the Apps screen and `pergola list`. */
export interface AddonStatus {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string | null;
  readonly icon: string | null;
  readonly state: AddonState;
  /** Version of the schema and data in the database. */
  readonly version: string | null;
  /** Version on this machine, or null if the addon is missing. */
  readonly versionOnDisk: string | null;
  readonly depends: readonly string[];
  readonly permanent: boolean;
  readonly auto: boolean;
  readonly outside: boolean;
  /** Folder on this machine; null if the addon is missing or broken. */
  readonly folder: string | null;
  /** Enabled, but left out here because it is broken. */
  readonly leftOut: boolean;
  /** Why it is broken, or why the last switch failed. */
  readonly problems: readonly Problem[];
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
}

/** Lists every addon on this machine or in storage, by name. */
export async function listAddons(host: LifecycleHost, leftOut: LeftOut): Promise<AddonStatus[]> {
  const inventory = await takeInventory(host, leftOut);
  const names = new Set([
    ...inventory.addons.keys(),
    ...inventory.stored.keys(),
    ...inventory.broken.map(({ addon }) => addon),
  ]);
  return [...names].sort().map((name) => {
    const definition = inventory.addons.get(name)?.definition;
    const row = inventory.stored.get(name);
    const reasons = leftOut.get(name) ?? inventory.broken.filter(({ addon }) => addon === name);
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
      outside: inventory.addons.get(name)?.outside ?? false,
      folder: inventory.addons.get(name)?.folder ?? null,
      leftOut: leftOut.has(name),
      problems: reasons.length > 0 ? reasons : (row?.lastError ?? []),
      changedAt: row?.changedAt ?? null,
      changedBy: row?.changedBy ?? null,
    };
  });
}
