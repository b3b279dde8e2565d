import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Addon, changedSince, type Log, ownFolder } from '@pergola/core';

/*
 * Code of the enabled addons from outside the repository, in `DATA_DIR/code/<name>-<version>/<name>`. When an addon's folder already has
 * the next version, a rehearsal still shows the pages of the one that is enabled.
 */

const FOLDER = 'code';

/** Folder of the kept code of a version. */
export function keptCode(dataDir: string, name: string, version: string): string {
  return join(dataDir, FOLDER, `${name}-${version}`, name);
}

/** Keeps the code of addons, as it was loaded, and deletes the code of their other versions. */
export async function keepCode(dataDir: string, addons: readonly Addon[], since: number, log: Log): Promise<void> {
  for (const addon of addons) {
    try {
      await keep(dataDir, addon, since);
    } catch (error) {
      log.warn({ err: error, addon: addon.name }, 'The code of an app could not be kept for rehearsals');
    }
  }
}

async function keep(dataDir: string, { name, folder, definition }: Addon, since: number): Promise<void> {
  const target = keptCode(dataDir, name, definition.version);
  if (await stat(target).catch(() => null)) return;
  // Files that were saved after they were loaded belong to another version.
  if ((await changedSince([{ name, folder }], since)).length > 0) return;
  const draft = join(dataDir, FOLDER, `.${name}-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: ownFolder });
  const isCode = (path: string): boolean =>
    path === folder || !['node_modules', 'tests', '.git'].includes(basename(path));
  await cp(folder, join(draft, name), { recursive: true, filter: isCode });
  const versionFolder = join(target, '..');
  // Another process may have been faster.
  await rename(draft, versionFolder).catch(() => rm(draft, { recursive: true, force: true }));
  for (const entry of await readdir(join(dataDir, FOLDER)))
    if (entry !== basename(versionFolder) && entry.replace(/-\d+\.\d+\.\d+$/, '') === name)
      await rm(join(dataDir, FOLDER, entry), { recursive: true, force: true });
}
