import type { Command } from '../../../core/app/commands.ts';

export const command: Command = {
  summary: 'Checks the architecture (who may import whom, what code may not do) and the size of what browsers load',
  usage: '',
  async run() {
    await import('../../architecture/main.ts');
    await import('../../sizes/main.ts');
    return Number(process.exitCode ?? 0);
  },
};
