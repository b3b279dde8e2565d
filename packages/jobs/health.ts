import { type Database, rowsOf } from '@pergola/db';

/** A job counts as overdue when it has been waiting for this long since it was due. */
const OVERDUE_MS = 10 * 60_000;

/** Jobs that should have started at least ten minutes ago, and when the first of them was due. */
export interface JobHealth {
  readonly overdue: number;
  readonly since: Date | null;
}

/** Overdue jobs, including those lost by a crashed process, and scheduled runs that weren't queued. */
export async function overdueJobs({ knex, reader, codec }: Database): Promise<JobHealth> {
  const limit = codec.encode('datetime', new Date(Date.now() - OVERDUE_MS)) as number;
  const [waiting] = await rowsOf(
    reader,
    knex('core_job')
      .where('state', 'waiting')
      .andWhere('run_at', '<', limit)
      .count({ n: '*' })
      .min({ since: 'run_at' }),
  );
  const [expired] = await rowsOf(
    reader,
    knex('core_job')
      .where('state', 'running')
      .andWhere('lease_until', '<', limit)
      .count({ n: '*' })
      .min({ since: 'lease_until' }),
  );
  const [timetable] = await rowsOf(
    reader,
    knex('core_cron').where('next_at', '<', limit).count({ n: '*' }).min({ since: 'next_at' }),
  );
  const groups = [waiting, expired, timetable].flatMap((row) => (row && Number(row.n) > 0 ? [row] : []));
  const times = groups.map(({ since }) => (codec.decode('datetime', since) as Date).getTime());
  return {
    overdue: groups.reduce((sum, { n }) => sum + Number(n), 0),
    since: times.length > 0 ? new Date(Math.min(...times)) : null,
  };
}
