import { loadConfig } from '../../config.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  summary: 'Serves the site',
  usage: '',
  async run() {
    const { startServer } = await import('../../serve.ts');
    return startServer(loadConfig(process.env, { dev: process.env.PERGOLA_DEV === '1' }));
  },
};
