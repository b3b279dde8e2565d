import path from 'node:path';
import { platformFolders } from '@pergola/core';
import { watch } from 'chokidar';
import { type Consequence, consequenceOf, isWatched } from './saved-files.ts';

export interface SourceWatcher {
  /** Settled when every later save is noticed. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** What a site is made of: the core and the folders of addons. */
export function sourceFolders(roots: readonly string[]): string[] {
  return [...new Set([...roots, ...platformFolders.map((folder) => path.resolve(folder))])];
}

/**
 * Watches folders of sources, also for addons and files that are not there yet.
 *
 * @param since from when on saves count, in ms: what was saved after the code began to be loaded, and before anybody watched, may not be what was
 *   loaded.
 */
export function watchSources(
  folders: readonly string[],
  onSaved: (file: string, consequence: Exclude<Consequence, 'nothing'>) => void,
  since = Number.POSITIVE_INFINITY,
): SourceWatcher {
  // Of folders in one another the deepest counts.
  const byDepth = folders.toSorted((a, b) => b.length - a.length);
  const below = (file: string): string => {
    const folder = byDepth.find((one) => file.startsWith(one + path.sep));
    return folder === undefined ? '' : file.slice(folder.length + 1);
  };
  const watcher = watch([...folders], { alwaysStat: true, ignored: (file) => !isWatched(below(file)) });
  let isFirstLook = true;
  watcher.once('ready', () => {
    isFirstLook = false;
  });
  watcher.on('all', (_event, file, stats) => {
    const savedMs = stats?.mtimeMs ?? 0;
    // A time to come is that of another clock.
    if (isFirstLook && (stats?.isDirectory() || savedMs < since || savedMs > Date.now())) return;
    const consequence = consequenceOf(below(file));
    if (consequence !== 'nothing') onSaved(file, consequence);
  });
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    close: () => watcher.close(),
  };
}
