import type { Command } from '../../../core/app/commands.ts';
import { describeProblem } from '../../../core/base/errors.ts';
import { withKernel } from '../with-kernel.ts';

export const command: Command = {
  summary: 'Lists the addons with their states',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  run: ({ options, io }) =>
    withKernel(async (kernel) => {
      const addons = await kernel.lifecycle.list();
      if (options.json) io.out(JSON.stringify(addons, null, 2));
      else {
        for (const { name, state, version, versionOnDisk, summary, problems, leftOut } of addons) {
          const newer =
            version !== null && versionOnDisk !== null && version !== versionOnDisk ? ` → ${versionOnDisk}` : '';
          io.out(
            `${name.padEnd(18)} ${(leftOut ? 'broken' : state).padEnd(12)} ${`${version ?? '-'}${newer}`.padEnd(16)} ${summary}`,
          );
          for (const problem of problems) io.out(`    ${describeProblem(problem)}`);
        }
      }
      return 0;
    }),
};
