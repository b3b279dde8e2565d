import type { Command } from '../../../core/app/commands.ts';
import { loadConfig } from '../../../core/base/config.ts';
import { called } from '../../dev/standby.ts';

/** How long what is left to be done may take when everything is closed, in ms. */
const LEFT_RUNNING_MS = 1_000;

export const command: Command = {
  summary: 'Serves the site',
  usage: '',
  async run() {
    const dev = process.env.PERGOLA_DEV === '1';
    const [{ startServer }, development] = await Promise.all([
      import('../../../core/app/serve.ts'),
      // What only development needs is not loaded by a site that is served.
      dev ? import('../../dev/serve.ts') : null,
    ]);
    const since = await called();
    if (since === null) return 0;
    const config = loadConfig(process.env, { dev });
    const code = await (development?.startDevelopmentServer(config, since) ?? startServer(config));
    // What an addon left running, such as a timer, does not keep a process that serves nothing any more.
    setTimeout(() => process.exit(code), LEFT_RUNNING_MS).unref();
    return code;
  },
};
