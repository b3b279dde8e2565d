import { listChanges } from '@pergola/changes';
import { type Command, UsageError } from '@pergola/core';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary: 'Lists what people changed, newest first, for `pergola undo`',
  usage: '[--by <login>] [--model <name>] [--since <time>] [--json]',
  options: { by: { type: 'string' }, model: { type: 'string' }, since: { type: 'string' }, json: { type: 'boolean' } },
  run: ({ options: { by, model, since, json }, io }) =>
    withApplication(async (application) => {
      const filter = {
        ...(typeof by === 'string' && { by }),
        ...(typeof model === 'string' && { model }),
        ...(typeof since === 'string' && { since: timeOf(since) }),
      };
      const changes = await application.asSystem('read', (ctx) => listChanges(ctx, filter));
      if (json) {
        const listed = changes.map(({ isPartlyUndone, undoOf, ...change }) => change);
        io.out(JSON.stringify({ changes: listed }, null, 2));
      } else if (changes.length === 0) io.out('No changes.');
      else
        for (const { id, at, by: login, from, records, undone, isPartlyUndone, undoOf } of changes) {
          const state = undone ? ', undone' : isPartlyUndone ? ', partly undone' : '';
          const origin = undoOf === null ? from : `undo of ${undoOf}`;
          io.out(`${id}  ${at.toISOString()}  ${login}  ${origin}${state}`);
          for (const { kind, model: name, id: recordId, name: title } of records.slice(0, MAX_RECORDS))
            io.out(`    ${kind} ${name} ${recordId} “${title}”`);
          if (records.length > MAX_RECORDS) io.out(`    and ${records.length - MAX_RECORDS} more`);
        }
      return 0;
    }),
};

const MAX_RECORDS = 5;

function timeOf(text: string): Date {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`“${text}” isn’t a time. Write 2026-11-21 or 2026-11-21T18:30Z.`);
}
