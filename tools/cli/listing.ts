import type { Kernel } from '../../core/app/application.ts';
import type { Command } from '../../core/app/commands.ts';
import { withKernel } from './with-kernel.ts';

/** A command that lists what the site has: lines for people, or `--json` for programs. */
export function listing<Row>(about: {
  readonly summary: string;
  readonly rows: (kernel: Kernel) => readonly Row[] | Promise<readonly Row[]>;
  /** What people see of one. */
  readonly lines: (row: Row) => readonly string[];
}): Command {
  const { summary, rows, lines } = about;
  return {
    summary,
    usage: '[--json]',
    options: { json: { type: 'boolean' } },
    run: ({ options, io }) =>
      withKernel(async (kernel) => {
        const all = await rows(kernel);
        if (options.json) io.out(JSON.stringify(all, null, 2));
        else for (const line of all.flatMap(lines)) io.out(line);
        return 0;
      }),
  };
}
