import { chmod } from 'node:fs/promises';
import path from 'node:path';

/** Modes of what a site keeps on disk: only the account it runs under reads it. */
export const ownFolder = 0o700;
export const ownFile = 0o600;

/** Folders of the data folder that hold what only the site may read. */
const inside = ['files', 'derived', 'archives', 'backups'];

/**
 * Closes the data folder and the folders in it to others, as far as they are there: what lies in them can then be reached by nobody else, whatever
 * its own mode. Where there are no modes, or the folder is somebody else's, nothing changes.
 */
export async function closeDataFolder(folder: string): Promise<void> {
  for (const each of [folder, ...inside.map((name) => path.join(folder, name))]) {
    await chmod(each, ownFolder).catch(() => {});
  }
}
