import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { delimiter } from 'node:path';
import { codeDigest } from '@pergola/capabilities';
import { addonFolders, addonRoots, type Plan } from '@pergola/core';
import { settingsDigest } from '@pergola/settings';
import { latestGeneration } from './generation-store.ts';
import type { InstallHost } from './host.ts';

/**
 * Identifies a plan, and what decides its effects: the newest generation, the settings, and for actions that load code also the code of the
 * plan's addons and of the enabled ones. Affected data counts by the numbers in the plan.
 */
export async function fingerprint(host: InstallHost, plan: Plan): Promise<string> {
  const generation = await latestGeneration(host.database);
  const { action, addons, items } = plan;
  const names = new Set([...Object.keys(generation?.addons ?? {}), ...addons.map(({ name }) => name)]);
  const isLoading = action === 'enable' || action === 'upgrade';
  const facts = {
    generation: generation?.number ?? 0,
    versions: generation?.addons ?? {},
    code: isLoading ? codeOf(host, [...names].toSorted()) : [],
    settings: await settingsDigest(host.database),
    action,
    addons,
    items,
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function codeOf({ discovery, addonsPath }: InstallHost, names: readonly string[]): string[] {
  const known = new Map(discovery.addons.map(({ name, folder }) => [name, folder]));
  // A running process doesn't know addons that were added since it started.
  const onDisk = names.every((name) => known.has(name)) ? null : addonFolders(addonRoots(addonsPath.join(delimiter)));
  return names.map((name) => {
    const folder = known.get(name) ?? onDisk?.get(name);
    return `${name} ${folder === undefined ? '' : codeDigest(realpathSync(folder))}`;
  });
}
