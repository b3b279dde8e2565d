import { chmod } from 'node:fs/promises';
import path from 'node:path';

/** File modes of a site's data: only the account it runs under can read it. */
export const ownFolder = 0o700;
export const ownFile = 0o600;

/** Subfolders of the data folder that only the site may read. */
const subfolders = ['files', 'derived', 'archives', 'backups'];

/**
 * Closes the data folder and its private subfolders to other accounts, so nothing in them can be reached, whatever its own mode. Does
 * nothing if the system has no modes or another account owns the folder.
 */
export async function closeDataFolder(folder: string): Promise<void> {
  for (const target of [folder, ...subfolders.map((name) => path.join(folder, name))]) {
    await chmod(target, ownFolder).catch(() => {});
  }
}
