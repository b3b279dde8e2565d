import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { FRESH_KERNEL, FRESH_PROCESS } from '../../dev/exit-code.ts';
import { Standby } from '../../dev/standby.ts';
import { addonRoots } from '../../start/alias.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  summary: 'Serves the site, rebuilding and reloading on every save',
  usage: '',
  async run({ io }) {
    const stopping = new AbortController();
    let child: ChildProcess | null = null;
    const standby = new Standby([...process.execArgv, process.argv[1] ?? '', 'start']);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        stopping.abort();
        standby.drop();
        child?.kill(signal);
      });
    }
    while (!stopping.signal.aborted) {
      const since = Date.now();
      child = standby.start();
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== FRESH_PROCESS) standby.drop();
      if (code === 0) return 0;
      if (code === FRESH_PROCESS || code === FRESH_KERNEL || stopping.signal.aborted) continue;
      io.err('The server ended with an error. It starts again when a file is saved.');
      await nextSave(stopping.signal, since);
    }
    return 0;
  },
};

/** Settles when code of the site is saved, or was since the server began to load it, or when the signal says to stop waiting. */
async function nextSave(signal: AbortSignal, since: number): Promise<void> {
  const { sourceFolders, watchSources } = await import('../../dev/watch-sources.ts');
  const saved = Promise.withResolvers<void>();
  const folders = sourceFolders(addonRoots(process.env.ADDONS_PATH));
  const watcher = watchSources(folders, () => saved.resolve(), since);
  signal.addEventListener('abort', () => saved.resolve(), { once: true });
  await saved.promise;
  await watcher.close();
}
