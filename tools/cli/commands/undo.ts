import { recordAs, type UndoConflict, undo } from '@pergola/changes';
import { type Command, UsageError } from '@pergola/core';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary: 'Undoes a change that `pergola changes` lists: restores values and deleted records, deletes created ones',
  usage: '<change> [--dry-run] [--partial] [--json]',
  options: { 'dry-run': { type: 'boolean' }, partial: { type: 'boolean' }, json: { type: 'boolean' } },
  run: ({ words: [change], options: { 'dry-run': isDryRun, partial, json }, io }) => {
    if (change === undefined || !/^[1-9]\d{0,14}$/.test(change))
      throw new UsageError('Name the change: pergola undo <change>. “pergola changes” lists their numbers.');
    return withApplication(async (application) => {
      const options = { isDryRun: isDryRun === true, isPartial: partial === true };
      const { undone, conflicts, irreversible } = await application.asSystem('write', (ctx) => {
        recordAs(ctx, 'command line');
        return undo(ctx, Number(change), options);
      });
      if (json) io.out(JSON.stringify({ undone, conflicts, irreversible }, null, 2));
      else {
        const count = `${undone} ${undone === 1 ? 'record' : 'records'}`;
        io.out(isDryRun ? `Would restore ${count}.` : `Restored ${count}.`);
        if (conflicts.length > 0)
          io.out(
            partial ? 'Not restored:' : 'Nothing was restored, because of these conflicts (--partial skips them):',
          );
        for (const conflict of conflicts) io.out(`  ${lineOf(conflict)}`);
        for (const effect of irreversible) io.out(`Stays: ${effect}`);
      }
      return conflicts.length > 0 ? 1 : 0;
    });
  },
};

function lineOf({ model, id, name, field, before, after, now, message }: UndoConflict): string {
  const record = id === null ? model : `${model} ${id} “${name}”`;
  if (message !== undefined) return `${record}: ${message}`;
  const values = `was ${JSON.stringify(before)}, changed to ${JSON.stringify(after)}, is now ${JSON.stringify(now)}`;
  return `${record}${field === null ? '' : `, ${field}`}: ${values}`;
}
