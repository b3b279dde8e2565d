import { changesOf, type Database, transactionOf } from '@pergola/db';
import { type ClockStamps, type JobDefinition, job, moveBack } from '@pergola/jobs';
import { z } from 'zod';
import { modelRegistry } from './registry-key.ts';

/**
 * Repairs what a clock that was ahead has left behind, once it is right again: in every record written in the future, the times that the site itself
 * writes (read-only fields, `write_date` among them) move back by as much as the clock was ahead. Seats on hold, links and proofs then end when they were
 * meant to. Times that people entered stay.
 */
export function clockRepair(
  database: Database,
  ownStamps: readonly ClockStamps[],
): JobDefinition<Record<string, never>> {
  return job('core.clock_repair', {
    input: z.object({}),
    lease: 5 * 60_000,
    run: async ({ ctx, write }) => {
      const now = new Date();
      // Tables of the core that models show don't say when their rows were written.
      const kept = [...ctx.get(modelRegistry).models.values()].filter(({ options }) => !options.coreTable);
      const models = kept.map(({ table, fields }) => ({
        table,
        stamp: 'write_date',
        columns: [...fields.values()].flatMap(({ type, column, options }) =>
          type === 'datetime' && options.readonly === true && column !== null ? [column] : [],
        ),
      }));
      for (const table of [...ownStamps, ...models]) {
        const changed = await write((writing) => {
          const transaction = transactionOf(writing);
          transaction.touch(table.table);
          return changesOf(transaction, moveBack(database, { ...table, now }));
        });
        if (changed > 0)
          ctx.log.warn(
            { table: table.table, rows: changed },
            'Times written by a clock that was ahead were moved back',
          );
      }
    },
  });
}
