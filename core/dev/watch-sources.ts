import path from 'node:path';
import { watch } from 'chokidar';
import { repository } from '../start/alias.ts';
import { type Consequence, consequenceOf, isWatched } from './saved-files.ts';

export interface SourceWatcher {
  /** Settled when every later save is noticed. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** What a site is made of: the kernel and the folders of addons. */
export function sourceFolders(roots: readonly string[]): string[] {
  return [...new Set([...roots, path.join(repository, 'core')])];
}

/** Watches folders of sources, also for addons and files that are not there yet. */
export function watchSources(
  folders: readonly string[],
  onSaved: (file: string, consequence: Exclude<Consequence, 'nothing'>) => void,
): SourceWatcher {
  // Of folders in one another the deepest counts.
  const byDepth = folders.toSorted((a, b) => b.length - a.length);
  const below = (file: string): string => {
    const folder = byDepth.find((one) => file.startsWith(one + path.sep));
    return folder === undefined ? '' : file.slice(folder.length + 1);
  };
  const watcher = watch([...folders], { ignoreInitial: true, ignored: (file) => !isWatched(below(file)) });
  watcher.on('all', (_event, file) => {
    const consequence = consequenceOf(below(file));
    if (consequence !== 'nothing') onSaved(file, consequence);
  });
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    close: () => watcher.close(),
  };
}
