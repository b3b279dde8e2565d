import type { Command } from '@pergola/core';
import { loadConfig, startServer } from '@pergola/core';

/** How long what is left to be done may take when everything is closed, in ms. */
const LEFT_RUNNING_MS = 1_000;

export const command: Command = {
  summary: 'Serves the site',
  usage: '',
  async run() {
    // What only development needs is not loaded by a site that is served.
    const code = process.env.PERGOLA_DEV === '1' ? await develop() : await serve();
    // What an addon left running, such as a timer, does not keep a process that serves nothing any more.
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
