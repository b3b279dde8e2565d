import { basename, dirname } from 'node:path';
import { addonRoots, isAlias, resolveAlias } from '@pergola/core';

/**
 * The file that a specifier stands for in tests, or null if it is none of the project's own. The folder that holds the importing addon counts as a
 * root besides `ADDONS_PATH`, so fixture addons, and addons that a test writes to a temporary folder, find each other without any setting.
 */
export function resolveInTests(specifier: string, folder: string): string | null {
  if (!isAlias(specifier)) return null;
  return resolveAlias(specifier, [...addonRoots(process.env.ADDONS_PATH), ...addonFoldersAbove(folder)]);
}

/** The folders above the importer, nearest first, up to one named as folders of addons are. */
function addonFoldersAbove(folder: string): string[] {
  const up = dirname(folder);
  if (up === folder) return [];
  return basename(up) === 'addons' ? [up] : [up, ...addonFoldersAbove(up)];
}
