import type { Application, Command } from '@pergola/core';
import { withApplication } from './with-application.ts';

/** Creates a command that lists something about the site, as text or with `--json` for programs. */
export function listing<Row>(spec: {
  readonly summary: string;
  readonly rows: (application: Application) => readonly Row[] | Promise<readonly Row[]>;
  /** Lines of text for a row. */
  readonly lines: (row: Row) => readonly string[];
}): Command {
  const { summary, rows, lines } = spec;
  return {
    summary,
    usage: '[--json]',
    options: { json: { type: 'boolean' } },
    run: ({ options, io }) =>
      withApplication(async (application) => {
        const all = await rows(application);
        if (options.json) io.out(JSON.stringify(all, null, 2));
        else for (const line of all.flatMap(lines)) io.out(line);
        return 0;
      }),
  };
}
