import type { Ctx, Id, Ids } from '#core';
import { codecOf } from '#core/orm';

/** `waiting` until its time, `running`, or `dead`: no try is left. Jobs that are done are gone. */
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

/** Jobs, dead ones first and then by their time, with how many there are in each state. Who may see them is the caller's matter. */
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
  const countOf = (one: JobState): number => Number(byState.find((row) => row.state === one)?.n ?? 0);
  const states = { waiting: countOf('waiting'), running: countOf('running'), dead: countOf('dead') };
  return {
    jobs: rows.map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      input: codec.decode('json', row.input),
      state: jobStates.find((one) => one === row.state) ?? 'waiting',
      runAt: codec.decode('datetime', row.run_at) as Date,
      attempt: Number(row.attempt),
      error: row.error === null ? null : String(row.error),
      createdAt: codec.decode('datetime', row.create_date) as Date,
    })),
    total: state ? states[state] : states.waiting + states.running + states.dead,
    states,
  };
}

/** Lets jobs run now: dead ones begin anew, waiting ones wait no longer. Answers how many. Throws where nothing may be written. */
export async function retryJobs(ctx: Ctx, ids: Ids): Promise<number> {
  let retried = 0;
  for (const id of new Set(ids)) {
    const row = await ctx.db('core_job').where({ id }).first('name', 'key', 'state');
    if (!row || row.state === 'running') continue;
    // One waiting run of a key does the work of all.
    if (row.state === 'dead' && row.key !== null) {
      if (await ctx.db('core_job').where({ name: row.name, key: row.key, state: 'waiting' }).first('id')) {
        await ctx.db('core_job').where({ id }).delete();
        retried += 1;
        continue;
      }
    }
    const now = codecOf(ctx).encode('datetime', ctx.now());
    const again = { state: 'waiting', attempt: 0, run_at: now, owner: null, lease_until: null };
    retried += await ctx.db('core_job').where({ id }).update(again);
  }
  return retried;
}

/** Deletes dead jobs; others stay. Answers how many. Throws where nothing may be written. */
export async function deleteDeadJobs(ctx: Ctx, ids: Ids): Promise<number> {
  return ctx
    .db('core_job')
    .whereIn('id', [...ids])
    .where({ state: 'dead' })
    .delete();
}
