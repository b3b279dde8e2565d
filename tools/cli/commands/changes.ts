import { eraseChanges, listChanges } from '@pergola/changes';
import { type Command, UsageError } from '@pergola/core';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary:
    'Lists what people changed, newest first, for `pergola undo`; `erase` deletes the recorded values of a record',
  usage: '[erase <model> <id>] [--by <login>] [--model <name>] [--since <time>] [--json]',
  options: { by: { type: 'string' }, model: { type: 'string' }, since: { type: 'string' }, json: { type: 'boolean' } },
  run: ({ words, options: { by, model, since, json }, io }) =>
    withApplication(async (application) => {
      const [action, erased = '', id = ''] = words;
      if (action !== undefined) {
        if (action !== 'erase' || erased === '' || !/^[1-9]\d{0,14}$/.test(id))
          throw new UsageError('Name the record: pergola changes erase <model> <id>.');
        const count = await application.asSystem('write', (ctx) => eraseChanges(ctx, erased, [Number(id)]));
        io.out(json ? JSON.stringify({ erased: count }) : `Erased ${count} recorded changes of ${erased} ${id}.`);
        return 0;
      }
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
