import type { Command } from '../../../core/app/commands.ts';
import { loadConfig } from '../../../core/base/config.ts';

/** How long what is left to be done may take when everything is closed, in ms. */
const LEFT_RUNNING_MS = 1_000;

export const command: Command = {
  summary: 'Serves the site',
  usage: '',
  async run() {
    // What only development needs is not loaded by a site that is served.
    const code =
      process.env.PERGOLA_DEV === '1'
        ? await (await import('../../dev/serve.ts')).startDevelopmentServer()
        : await (await import('../../../core/app/serve.ts')).startServer(loadConfig(process.env));
    // What an addon left running, such as a timer, does not keep a process that serves nothing any more.
    setTimeout(() => process.exit(code), LEFT_RUNNING_MS).unref();
    return code;
  },
};
