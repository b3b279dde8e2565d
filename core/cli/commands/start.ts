import { loadConfig } from '../../config.ts';
import { called } from '../../dev/standby.ts';
import type { Command } from '../command.ts';

/** How long what is left to be done may take when everything is closed, in ms. */
const LEFT_RUNNING_MS = 1_000;

export const command: Command = {
  summary: 'Serves the site',
  usage: '',
  async run() {
    const { startServer } = await import('../../serve.ts');
    const since = await called();
    if (since === null) return 0;
    const code = await startServer(loadConfig(process.env, { dev: process.env.PERGOLA_DEV === '1' }), since);
    // What an addon left running, such as a timer, does not keep a process that serves nothing any more.
    setTimeout(() => process.exit(code), LEFT_RUNNING_MS).unref();
    return code;
  },
};
