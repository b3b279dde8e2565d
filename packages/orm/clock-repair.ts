import { changesOf, type Database, transactionOf } from '@pergola/db';
import { type ClockStamps, type JobDefinition, job, moveBack } from '@pergola/jobs';
import { z } from 'zod';
import { modelRegistry } from './registry-key.ts';

/**
 * Repairs timestamps left by a clock that was ahead, once it is right again: in every record written in the future, the times set by the
 * site itself (read-only fields, including `write_date`) move back by as much as the clock was ahead. Seats on hold, links and proofs then
 * expire when they were meant to. Times entered by people stay.
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
      // Models over core tables don't record when their rows were written.
      const tableModels = [...ctx.get(modelRegistry).models.values()].filter(({ options }) => !options.coreTable);
      const models = tableModels.map(({ table, fields }) => ({
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
