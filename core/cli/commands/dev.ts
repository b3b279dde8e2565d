import { type ChildProcess, spawn } from 'node:child_process';
import type { Command } from '../command.ts';

/** The server says by this code that its own code changed. */
const ANEW = 75;

export const command: Command = {
  summary: 'Serves the site, rebuilding and reloading on every save',
  usage: '',
  async run({ io }) {
    let stopping = false;
    let child: ChildProcess | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        stopping = true;
        child?.kill(signal);
      });
    }
    for (;;) {
      child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'start'], {
        stdio: 'inherit',
        env: { ...process.env, PERGOLA_DEV: '1' },
      });
      const code = await new Promise<number>((resolve) => child?.once('exit', (value) => resolve(value ?? 1)));
      if (stopping || (code !== ANEW && code === 0)) return 0;
      if (code === ANEW) continue;
      io.err('The server ended with an error. It starts again when a file is saved.');
      await nextSave();
      if (stopping) return 0;
    }
  },
};

async function nextSave(): Promise<void> {
  const { watch } = await import('chokidar');
  const watcher = watch(['core', 'addons', ...(process.env.ADDONS_PATH ?? '').split(':').filter(Boolean)], {
    ignoreInitial: true,
  });
  await new Promise<void>((resolve) => watcher.once('all', () => resolve()));
  await watcher.close();
}
