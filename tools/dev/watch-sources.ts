import path from 'node:path';
import { platformFolders } from '@pergola/core';
import { watch } from 'chokidar';
import { type Consequence, consequenceOf, isWatched } from './saved-files.ts';

export interface SourceWatcher {
  /** Resolves when the watcher is ready to notice saves. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Source folders of a site: the platform and the addon roots. */
export function sourceFolders(roots: readonly string[]): string[] {
  return [...new Set([...roots, ...platformFolders.map((folder) => path.resolve(folder))])];
}

/**
 * Watches source folders, including addons and files created later.
 *
 * @param since earliest save to report, in ms: a file saved after loading started, but before it was watched, may differ from the loaded
 * code
 */
export function watchSources(
  folders: readonly string[],
  onSaved: (file: string, consequence: Exclude<Consequence, 'nothing'>) => void,
  since = Number.POSITIVE_INFINITY,
): SourceWatcher {
  // The innermost of nested folders applies.
  const byDepth = folders.toSorted((a, b) => b.length - a.length);
  const relativeTo = (file: string): string => {
    const folder = byDepth.find((candidate) => file.startsWith(candidate + path.sep));
    return folder === undefined ? '' : file.slice(folder.length + 1);
  };
  const watcher = watch([...folders], { alwaysStat: true, ignored: (file) => !isWatched(relativeTo(file)) });
  let isFirstLook = true;
  watcher.once('ready', () => {
    isFirstLook = false;
  });
  watcher.on('all', (_event, file, stats) => {
    const savedMs = stats?.mtimeMs ?? 0;
    // A modification time in the future comes from another machine's clock.
    if (isFirstLook && (stats?.isDirectory() || savedMs < since || savedMs > Date.now())) return;
    const consequence = consequenceOf(relativeTo(file));
    if (consequence !== 'nothing') onSaved(file, consequence);
  });
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    close: () => watcher.close(),
  };
}
