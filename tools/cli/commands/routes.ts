import type { Command } from '../../../core/app/commands.ts';
import { routes } from '../../../core/http/index.ts';
import { withKernel } from '../with-kernel.ts';

export const command: Command = {
  summary: 'Lists the routes of the enabled addons',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  run: ({ options, io }) =>
    withKernel(async (kernel) => {
      const rows = kernel.generation.get(routes).list();
      if (options.json) io.out(JSON.stringify(rows, null, 2));
      else
        for (const { method, path, kind, auth, addon } of rows)
          io.out(`${method.padEnd(5)} ${path.padEnd(56)} ${kind.padEnd(5)} ${auth.padEnd(7)} ${addon}`);
      return 0;
    }),
};
