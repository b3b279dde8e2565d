import { z } from 'zod';
import { internals } from '../context/index.ts';
import { changesOf, type Database } from '../db/index.ts';
import { type JobDefinition, job, moveBack } from '../jobs/index.ts';

/** Times that the core's own tables keep, and the one that says when the row was written. */
const coreStamps = [
  { table: 'core_outbox', stamp: 'create_date', columns: ['create_date', 'sent_date'] },
  { table: 'core_session', stamp: 'seen_at', columns: ['created_at', 'seen_at', 'expires_at'] },
  { table: 'core_rate', stamp: 'expires_at', columns: ['expires_at'] },
] as const;

/**
 * Repairs what a clock that was ahead has left behind, once it is right again: in every record written in the future, the times that the site itself
 * writes (read-only fields, `write_date` among them) move back by as much as the clock was ahead. Seats on hold, links and proofs then end when they were
 * meant to. Times that people entered stay.
 */
export function clockRepair(database: Database): JobDefinition<Record<string, never>> {
  return job('core.clock_repair', {
    input: z.object({}),
    lease: 5 * 60_000,
    run: async ({ ctx, write }) => {
      const now = new Date();
      // Tables of the core that models show don't say when their rows were written.
      const kept = [...internals(ctx).models.models.values()].filter(({ options }) => !options.coreTable);
      const models = kept.map(({ table, fields }) => ({
        table,
        stamp: 'write_date',
        columns: [...fields.values()].flatMap(({ type, column, options }) =>
          type === 'datetime' && options.readonly === true && column !== null ? [column] : [],
        ),
      }));
      for (const table of [...coreStamps, ...models]) {
        const changed = await write((writing) => {
          const { transaction } = internals(writing);
          if (!transaction) throw new TypeError('The clock repair needs a context that writes.');
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
