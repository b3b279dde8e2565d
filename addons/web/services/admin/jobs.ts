import { type Ctx, type Id, type Ids, NotFound } from 'pergola';
import { jobs } from 'pergola/kernel';
import { codecOf } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { t } from '../../texts.ts';

/** `waiting` until its time, `running`, or `dead` when no attempts are left. Finished jobs are deleted. */
export const jobStates = ['waiting', 'running', 'dead'] as const;
export type JobState = (typeof jobStates)[number];

/** A job in the queue. */
export interface QueuedJob {
  readonly id: Id;
  /** `addon.thing` */
  readonly name: string;
  readonly input: unknown;
  readonly state: JobState;
  readonly runAt: Date;
  readonly attempt: number;
  readonly error: string | null;
  readonly createdAt: Date;
}

/** Returns jobs, dead ones first, then by time, with the number in each state. The caller must check that the user may see them. */
export async function listJobs(
  ctx: Ctx,
  { state, limit = 80, offset = 0 }: { state?: JobState; limit?: number; offset?: number } = {},
): Promise<{
  readonly jobs: readonly QueuedJob[];
  readonly total: number;
  readonly states: Readonly<Record<JobState, number>>;
}> {
  const codec = codecOf(ctx);
  const query = ctx.db('core_job').select();
  if (state) query.where({ state });
  const rows = await query
    .orderByRaw("case state when 'dead' then 0 when 'running' then 1 else 2 end")
    .orderBy([{ column: 'run_at' }, { column: 'id' }])
    .limit(limit)
    .offset(offset);
  const byState: readonly Readonly<Record<string, unknown>>[] = await ctx
    .db('core_job')
    .select('state')
    .count({ n: '*' })
    .groupBy('state');
  const countOf = (state: JobState): number => Number(byState.find((row) => row.state === state)?.n ?? 0);
  const states = { waiting: countOf('waiting'), running: countOf('running'), dead: countOf('dead') };
  return {
    jobs: rows.map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      input: codec.decode('json', row.input),
      state: jobStates.find((state) => state === row.state) ?? 'waiting',
      runAt: codec.decode('datetime', row.run_at) as Date,
      attempt: Number(row.attempt),
      error: row.error === null ? null : String(row.error),
      createdAt: codec.decode('datetime', row.create_date) as Date,
    })),
    total: state ? states[state] : states.waiting + states.running + states.dead,
    states,
  };
}

/** A scheduled job. */
export interface ScheduledJob {
  /** `addon.thing` */
  readonly name: string;
  /** Description in the reader's language. */
  readonly label: string;
  readonly nextRun: Date;
}

/** Returns scheduled jobs by next run. The caller must check that the user may see them. */
export async function listSchedule(ctx: Ctx): Promise<readonly ScheduledJob[]> {
  const codec = codecOf(ctx);
  const labels = scheduleLabels(ctx);
  const rows = await ctx.db('core_cron').select('name', 'next_at').orderBy(['next_at', 'name']);
  return rows.flatMap((row) => {
    const name = String(row.name);
    const label = labels.get(name);
    // The schedule still contains jobs of disabled apps.
    return label === undefined ? [] : [{ name, label, nextRun: codec.decode('datetime', row.next_at) as Date }];
  });
}

function scheduleLabels(ctx: Ctx): ReadonlyMap<string, string> {
  return new Map([
    ['core.sweep', t(ctx, 'Delete expired sessions')],
    ['core.sweep_outbox', t(ctx, 'Delete old emails from the outbox')],
    ['core.sweep_files', t(ctx, 'Delete files that are no longer used')],
    ['core.addon_tasks', t(ctx, 'Finish enabling and disabling apps')],
    ['core.release_mails', t(ctx, 'Send held emails')],
    ...ctx
      .get(jobs)
      .filter(({ cron }) => cron !== undefined)
      .map(({ name, label }): [string, string] => [
        name,
        label === undefined ? name : ownText(ctx, name.split('.')[0] ?? '', label),
      ]),
  ]);
}

/**
 * Makes a scheduled job due now. Later runs don't change.
 *
 * @throws NotFound if no enabled app has such a job
 */
export async function runScheduled(ctx: Ctx, name: string): Promise<true> {
  const next_at = codecOf(ctx).encode('datetime', ctx.now());
  const due = scheduleLabels(ctx).has(name) ? await ctx.db('core_cron').where({ name }).update({ next_at }) : 0;
  if (due === 0) throw new NotFound('This scheduled job doesn’t exist.', { code: 'web.no_scheduled_job' });
  return true;
}

/** Runs jobs now: restarts dead ones and stops waiting ones from waiting. Returns how many. Throws in read-only contexts. */
export async function retryJobs(ctx: Ctx, ids: Ids): Promise<number> {
  let retried = 0;
  for (const id of new Set(ids)) {
    const row = await ctx.db('core_job').where({ id }).first('name', 'key', 'state');
    if (!row || row.state === 'running') continue;
    // A single waiting job does the work of all jobs with its key.
    if (row.state === 'dead' && row.key !== null) {
      if (await ctx.db('core_job').where({ name: row.name, key: row.key, state: 'waiting' }).first('id')) {
        await ctx.db('core_job').where({ id }).delete();
        retried += 1;
        continue;
      }
    }
    const now = codecOf(ctx).encode('datetime', ctx.now());
    const reset = { state: 'waiting', attempt: 0, run_at: now, owner: null, lease_until: null };
    retried += await ctx.db('core_job').where({ id }).update(reset);
  }
  return retried;
}

/** Deletes dead jobs and returns how many. Ignores all others. Throws in read-only contexts. */
export async function deleteDeadJobs(ctx: Ctx, ids: Ids): Promise<number> {
  return ctx
    .db('core_job')
    .whereIn('id', [...ids])
    .where({ state: 'dead' })
    .delete();
}
