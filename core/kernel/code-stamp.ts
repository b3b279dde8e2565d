import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listAddonFolders } from '../base/index.ts';
import type { Addon } from './addon.ts';

/** Returns the latest modification time of any addon file in these folders, in ms since 1970. */
export async function codeStamp(roots: readonly string[]): Promise<number> {
  return Math.max(0, ...(await Promise.all(listAddonFolders(roots).map(newestIn))));
}

/** Names of the addons with files modified after `since` (ms since 1970), so a process loaded at that time has older code. */
export async function changedSince(
  addons: readonly Pick<Addon, 'name' | 'folder'>[],
  since: number,
): Promise<string[]> {
  const stamps = await Promise.all(addons.map(async ({ name, folder }) => ({ name, stamp: await newestIn(folder) })));
  return stamps.filter(({ stamp }) => stamp > since).map(({ name }) => name);
}

/** Returns the latest modification time in a folder, ignoring tests and packages, in ms since 1970; 0 if the folder is missing. */
export async function newestIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const times = entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'tests' && name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newestIn(path) : changedAt(path);
    });
  // Deleting a file changes its folder.
  return Math.max(await changedAt(folder), ...(await Promise.all(times)));
}

/** Modification time of a file or folder; 0 if it is missing. */
function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
