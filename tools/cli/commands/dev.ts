import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command, CommandIo } from '@pergola/core';
import { addonRoots, loadConfig } from '@pergola/core';
import { portTaken } from '@pergola/server';
import { Door } from '../../dev/door.ts';
import { FRESH_PROCESS, READY } from '../../dev/messages.ts';
import { cpuTimeOf, SilenceWatch } from '../../dev/stuck.ts';
import { parts } from '../../parts.ts';

export const command: Command = {
  summary: 'Serves the site, rebuilding and reloading on every save',
  usage: '',
  async run({ io }) {
    const stopping = new AbortController();
    let child: ChildProcess | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        stopping.abort();
        child?.kill(signal);
      });
    }
    const { host, port } = loadConfig(process.env, parts, { dev: true });
    const door = new Door();
    await door.open(
      host,
      port,
      () => io.err(`${portTaken({ host, port })} Retrying until the port is free.`),
      stopping.signal,
    );
    while (!stopping.signal.aborted) {
      const since = Date.now();
      child = startServing(door);
      const watch = endWhenStuck(child, io);
      const [code] = (await once(child, 'exit')) as [number | null];
      watch.stop();
      if (code === FRESH_PROCESS || stopping.signal.aborted) continue;
      io.err('The server exited. It restarts when you save a file.');
      await nextSave(stopping.signal, since);
    }
    door.close();
    return 0;
  },
};

/** Starts a server process and directs connections to it once it is ready. */
function startServing(door: Door): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'start'], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PERGOLA_DEV: '1' },
  });
  child.on('message', (message) => {
    if (message === READY) door.leadTo(child);
  });
  return child;
}

/**
 * A server in an endless loop no longer notices saves, so it is killed on the next save and restarts. Until then it is left alone: it may
 * be busy, or stopped by a debugger.
 */
function endWhenStuck(child: ChildProcess, io: CommandIo): { stop(): void } {
  let lastMessageAt = Date.now();
  const silence = new SilenceWatch(() => cpuTimeOf(child.pid));
  let pendingRestart: AbortController | null = null;
  child.on('message', () => {
    lastMessageAt = Date.now();
    silence.heard();
    pendingRestart?.abort();
    pendingRestart = null;
  });
  const timer = setInterval(() => {
    if (pendingRestart || !silence.isStuck) return;
    io.err('The server isn’t responding, perhaps because of an endless loop. It restarts when you save a file.');
    pendingRestart = new AbortController();
    const { signal } = pendingRestart;
    void nextSave(signal, lastMessageAt).then(() => signal.aborted || child.kill('SIGKILL'));
  }, 1_000);
  return {
    stop() {
      clearInterval(timer);
      pendingRestart?.abort();
    },
  };
}

/** Waits until code of the site is saved (or was saved since the server started loading it), or until the signal aborts. */
async function nextSave(signal: AbortSignal, since: number): Promise<void> {
  const { sourceFolders, watchSources } = await import('../../dev/watch-sources.ts');
  const saved = Promise.withResolvers<void>();
  const folders = sourceFolders(addonRoots(process.env.ADDONS_PATH));
  const watcher = watchSources(folders, () => saved.resolve(), since);
  signal.addEventListener('abort', () => saved.resolve(), { once: true });
  await saved.promise;
  await watcher.close();
}
