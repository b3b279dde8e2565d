import type { Command } from '../../../core/app/commands.ts';
import { runTemplates } from '../../templates/run.ts';

export const command: Command = {
  summary:
    'Checks the architecture (who may import whom, what code may not do) and the size of what browsers load; of an addon outside of the ' +
    'repository, its templates, and writes their types for the compiler',
  usage: '[<folder>… [--format]]',
  options: { format: { type: 'boolean' } },
  async run({ words, options, io }) {
    if (words.length > 0) {
      const wrong = await runTemplates(options.format === true ? 'format' : 'check', words);
      for (const line of wrong) io.err(line);
      return wrong.length > 0 ? 1 : 0;
    }
    await import('../../architecture/main.ts');
    await import('../../sizes/main.ts');
    return Number(process.exitCode ?? 0);
  },
};
