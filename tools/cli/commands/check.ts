import type { Command } from '../../../core/app/commands.ts';

export const command: Command = {
  summary: 'Checks the architecture: who may import whom, and what code may not do',
  usage: '',
  async run() {
    await import('../../architecture/main.ts');
    return Number(process.exitCode ?? 0);
  },
};
