import type { Command } from '@pergola/core';
import { loadConfig } from '@pergola/core';
import { startServer } from '@pergola/server';

/** Time in ms for leftover work after everything is closed. */
const LEFT_RUNNING_MS = 1_000;

export const command: Command = {
  summary: 'Serves the site',
  usage: '',
  async run() {
    // Production servers don't load development code.
    const code = process.env.PERGOLA_DEV === '1' ? await develop() : await serve();
    // Leftover timers and the like of an addon must not keep a stopped process alive.
    setTimeout(() => process.exit(code), LEFT_RUNNING_MS).unref();
    return code;
  },
};

async function develop(): Promise<number> {
  const { startDevelopmentServer } = await import('../../dev/serve.ts');
  return startDevelopmentServer();
}

async function serve(): Promise<number> {
  const { parts } = await import('../../parts.ts');
  return startServer(loadConfig(process.env, parts), parts);
}
