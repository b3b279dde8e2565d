import { loadConfig } from '../../config.ts';
import { called } from '../../dev/standby.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  summary: 'Serves the site',
  usage: '',
  async run() {
    const { startServer } = await import('../../serve.ts');
    const since = await called();
    return since === null ? 0 : startServer(loadConfig(process.env, { dev: process.env.PERGOLA_DEV === '1' }), since);
  },
};
