import { basename, dirname } from 'node:path';
import { addonRoots, isAlias, resolveAlias } from '@pergola/core';

/**
 * The file that a specifier resolves to in tests, or null if it isn't part of the project. The folder that contains the importing addon
 * counts as a root in addition to `ADDONS_PATH`, so fixture addons, and addons that a test writes to a temporary folder, can import each
 * other without any configuration.
 */
export function resolveInTests(specifier: string, folder: string): string | null {
  if (!isAlias(specifier)) return null;
  return resolveAlias(specifier, [...addonRoots(process.env.ADDONS_PATH), ...addonFoldersAbove(folder)]);
}

/** Folders above the importer, nearest first, up to one with the name of an addon folder. */
function addonFoldersAbove(folder: string): string[] {
  const up = dirname(folder);
  if (up === folder) return [];
  return basename(up) === 'addons' ? [up] : [up, ...addonFoldersAbove(up)];
}
