import type { Command } from '../command.ts';

export const command: Command = {
  summary: "Checks the project's own law: who may import whom, and the rest of it",
  usage: '',
  async run() {
    await import('../../law/main.ts');
    return Number(process.exitCode ?? 0);
  },
};
