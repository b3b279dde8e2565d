import { listBreakers, resetBreakers } from '@pergola/cluster/public';
import { type Command, describeProblem, didYouMean, UsageError } from '@pergola/core';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary: 'Lists parts of addons that are off because they kept failing, or switches them on again',
  usage: '[reset <addon>] [--json]',
  options: { json: { type: 'boolean' } },
  run: ({ words: [action, addon], options: { json }, io }) =>
    withApplication(async (application) => {
      if (action !== undefined && (action !== 'reset' || addon === undefined))
        throw new UsageError('Name the addon: pergola breakers reset <addon>.');
      if (addon !== undefined) {
        const names = application.discovery.addons.map(({ name }) => name);
        if (!names.includes(addon))
          throw new UsageError(`There is no addon “${addon}”. ${didYouMean(addon, names)}`.trim());
        const count = await application.asSystem('write', (ctx) => resetBreakers(ctx, addon));
        io.out(json ? JSON.stringify({ addon, reset: count }, null, 2) : `${addon}: ${count} switched on again.`);
        return 0;
      }
      const breakers = await application.asSystem('read', listBreakers);
      if (json) io.out(JSON.stringify({ breakers }, null, 2));
      else if (breakers.length === 0) io.out('Every part of the apps is on.');
      else
        for (const { kind, name, state, errors, since, file, line, ...problem } of breakers) {
          io.out(`${kind} ${name}: ${state} since ${since.toISOString()}, after ${errors} errors`);
          io.out(`  ${describeProblem({ ...problem, ...(file && { file }), ...(line && { line }) })}`);
        }
      return 0;
    }),
};
