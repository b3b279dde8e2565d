import { z } from 'zod';
import type { RateLimiter } from '../context/index.ts';
import { changesOf, type Database } from '../db/index.ts';
import { type BlobStore, sweepFiles } from '../files/index.ts';
import type { SessionStore } from '../http/index.ts';
import { type JobDefinition, job } from '../jobs/index.ts';

const DAY_MS = 86_400_000;

/** The core's own timetable: what piles up is swept away. */
export function housekeeping(about: {
  database: Database;
  blobs: BlobStore;
  sessions: SessionStore;
  limiter: RateLimiter;
}): readonly JobDefinition<Record<string, never>>[] {
  const { database, blobs, sessions, limiter } = about;
  const { knex, codec } = database;
  const nothing = z.object({});
  const ago = (days: number): number => codec.encode('datetime', new Date(Date.now() - days * DAY_MS)) as number;
  return [
    job('core.sweep', {
      input: nothing,
      cron: '*/10 * * * *',
      run: async () => {
        await sessions.sweep();
        await limiter.sweep();
      },
    }),
    job('core.sweep_outbox', {
      input: nothing,
      cron: '20 3 * * *',
      run: async () => {
        const old = knex('core_outbox')
          .where('create_date', '<', ago(90))
          // Discussions take a mail that is gone from here for handed over: others about records stay.
          .andWhere((old) =>
            old
              .where({ state: 'sent' })
              .orWhere((rest) => rest.whereIn('state', ['kept', 'delivered', 'withdrawn']).whereNull('res_model')),
          )
          .delete();
        await database.write((transaction) => changesOf(transaction, old), { label: 'sweep outbox' });
      },
    }),
    job('core.sweep_files', {
      input: nothing,
      cron: '40 3 * * *',
      lease: 15 * 60_000,
      run: async () => {
        await sweepFiles(database, blobs, new Date());
      },
    }),
  ];
}
