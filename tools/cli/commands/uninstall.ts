import type { Command } from '@pergola/core';
import { inEnglish } from '@pergola/core';
import { showPlan } from '../switching.ts';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary: 'Removes an addon and its data, after archiving them',
  usage: '<addon> --confirm <addon> [--dry-run] [--rehearsed <fingerprint>]',
  options: { confirm: { type: 'string' }, 'dry-run': { type: 'boolean' }, rehearsed: { type: 'string' } },
  least: 1,
  run: ({ words: [name = ''], options, io }) =>
    withApplication(async ({ lifecycle }) => {
      const plan = await lifecycle.plan('uninstall', [name]);
      if (!showPlan(plan, io)) return 1;
      if (plan.addons.length === 0 || options['dry-run']) return 0;
      const confirm = typeof options.confirm === 'string' ? options.confirm : undefined;
      await lifecycle.uninstall(name, {
        by: 'command line',
        confirm,
        rehearsed: typeof options.rehearsed === 'string' ? options.rehearsed : undefined,
        onProgress: ({ sentence }) => io.out(`… ${inEnglish(sentence)}`),
      });
      return 0;
    }),
};
