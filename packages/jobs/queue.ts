import type { Ctx } from '@pergola/core';
import { Conflict, InvalidInput } from '@pergola/core';
import { databaseSession, rowsOf } from '@pergola/db';
import { type JobDefinition, type JobQueue, markMail } from './define.ts';

/** Job queue of a context: inserts rows into `core_job` in the context's transaction. */
export function createJobQueue(ctx: Ctx): JobQueue {
  return {
    async enqueue<T>(job: JobDefinition<T>, input: T, options: { at?: Date; key?: string } = {}): Promise<void> {
      const { transaction, database } = ctx.get(databaseSession);
      if (!transaction)
        throw new Conflict(`Job "${job.name}" can be queued only where something is written.`, {
          code: 'core.context_does_not_write',
        });
      const parsed = job.input.safeParse(input);
      if (!parsed.success)
        throw new InvalidInput(`The input of job "${job.name}" does not fit: ${parsed.error.message}`, {
          code: 'core.bad_job_input',
        });
      const { knex, codec } = database;
      const now = ctx.now();
      const row = {
        name: job.name,
        input: codec.encode('json', parsed.data),
        key: options.key ?? null,
        state: 'waiting',
        run_at: codec.encode('datetime', options.at ?? now),
        attempt: 0,
        create_date: codec.encode('datetime', now),
      };
      // A waiting run with the same key covers this one too.
      const insert = knex('core_job').insert(row);
      const once = knex.raw("(name, key) where state = 'waiting' and key is not null");
      await rowsOf(transaction, options.key === undefined ? insert : insert.onConflict(once).ignore());
      transaction.touch('core_job');
      if (job.mails) markMail(transaction);
    },
  };
}
