import type { Breakers, GuardedCall, GuardedPart } from '@pergola/cluster';
import type { CodeAccount, Ctx } from '@pergola/core';
import { CLOCK_TOLERANCE_MS, inAddon, isNotReady, type Log, withAccount } from '@pergola/core';
import { changesOf, type Database, rowsOf, type Transaction } from '@pergola/db';
import { CronExpressionParser } from 'cron-parser';
import type { Knex } from 'knex';
import { moveJobsBack } from './clock-jump.ts';
import { type JobDefinition, queuedMail } from './define.ts';

/** The part of the application used by the worker: the current jobs, and contexts to run them in. */
export interface JobHost {
  /** Holds the current generation for one run; its jobs by name, and contexts of the system's user. */
  lease(): JobLease;
}
export interface JobLease {
  readonly jobs: ReadonlyMap<string, JobDefinition>;
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  write<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  release(): void;
}

interface ClaimedJob {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
  readonly attempt: number;
}

const PARALLEL = 2;
const POLL_MS = 1_000;
const MAX_PAUSE_MS = 3_600_000;
/** Pauses before the next attempt: 2, 4, 8 … seconds, up to an hour, each with up to a quarter of random jitter. */
const backoff = (attempt: number): number => Math.min(2 ** attempt * 1_000, MAX_PAUSE_MS) * (1 + Math.random() / 4);

/**
 * Takes due jobs from the queue and runs them, a few at a time. Several nodes share one queue: a job is claimed by updating its row in a
 * transaction, with a lease. A crashed node loses its claims when their leases expire, and late results are ignored.
 */
export class JobWorker {
  readonly #breakers: Breakers;
  readonly #database: Database;
  readonly #host: JobHost;
  readonly #log: Log;
  readonly #owner: string;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** The latest plausible next run of each timetable, with the moment it was calculated from: good for every moment between the two. */
  readonly #latestRuns = new Map<string, { readonly cron: string; readonly from: Date; readonly at: Date }>();
  readonly #clockRepair: JobDefinition<Record<string, never>> | null;
  readonly #openAccount: () => CodeAccount | null;
  readonly #pollMs: number;
  #wake: (() => void) | null = null;
  /** Whether a signal has arrived since the last check started. */
  #isSignalled = false;
  #loop: Promise<void> | null = null;

  /**
   * @param options.clockRepair queued after the clock turns out to have been ahead
   * @param options.openAccount opens the account of a run, if any are kept
   * @param options.pollMs polling interval for due jobs without a signal, in ms; default 1,000
   */
  constructor(options: {
    breakers: Breakers;
    database: Database;
    host: JobHost;
    log: Log;
    nodeId: string;
    clockRepair?: JobDefinition<Record<string, never>>;
    pollMs?: number;
    openAccount?: () => CodeAccount | null;
  }) {
    this.#openAccount = options.openAccount ?? (() => null);
    this.#breakers = options.breakers;
    this.#database = options.database;
    this.#host = options.host;
    this.#log = options.log;
    this.#owner = options.nodeId;
    this.#clockRepair = options.clockRepair ?? null;
    this.#pollMs = options.pollMs ?? POLL_MS;
  }

  start(): void {
    const unsubscribe = this.#database.changes.subscribe((tables) => {
      if (tables === 'all' || tables.has('core_job')) this.#signal();
    });
    this.#loop = this.#run().finally(unsubscribe);
  }

  /** Takes no more jobs, aborts the running ones, and waits for them up to `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stop.abort();
    this.#signal();
    await this.#loop;
    await Promise.race([
      Promise.allSettled(this.#running),
      new Promise((resolve) => setTimeout(resolve, graceMs).unref()),
    ]);
  }

  /** Number of jobs running on this node. */
  get active(): number {
    return this.#running.size;
  }

  /** Runs all due jobs until none is left; for tests and commands. Returns how many ran. */
  async drain(): Promise<number> {
    let ran = 0;
    for (;;) {
      const claimed = await this.#claim(PARALLEL);
      if (claimed.length === 0) return ran;
      await Promise.all(claimed.map((job) => this.#perform(job)));
      ran += claimed.length;
    }
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#isSignalled = false;
      try {
        await this.#tickCron();
        const claimed = await this.#claim(PARALLEL - this.#running.size);
        for (const job of claimed) this.#begin(job);
        if (claimed.length > 0) continue;
      } catch (error) {
        // Without a generation there are no jobs; the reason is reported elsewhere.
        if (!isNotReady(error)) this.#log.error({ err: error }, 'The job queue could not be read; trying again');
      }
      await this.#sleep();
    }
  }

  #begin(job: ClaimedJob): void {
    const run = this.#perform(job).catch((error: unknown) =>
      this.#log.error({ err: error, job: job.name }, 'A job could not be ended'),
    );
    this.#running.add(run);
    void run.finally(() => {
      this.#running.delete(run);
      this.#signal();
    });
  }

  #signal(): void {
    this.#isSignalled = true;
    this.#wake?.();
  }

  /** Waits for a signal or the next poll. A signal during the last check counts: the queue may have been read before it. */
  async #sleep(): Promise<void> {
    if (this.#isSignalled) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pollMs);
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#wake = wake;
    });
    this.#wake = null;
  }

  /** Claims due jobs, and jobs whose runner's lease has expired. Checks without a transaction first: an idle queue writes nothing. */
  async #claim(places: number): Promise<ClaimedJob[]> {
    const lease = this.#host.lease();
    try {
      const names = [...lease.jobs.keys()];
      if (places <= 0 || names.length === 0) return [];
      const { knex, codec } = this.#database;
      const now = codec.encode('datetime', new Date());
      const due = knex('core_job')
        .whereIn('name', names)
        .andWhere((where) =>
          where
            .where((waiting) => waiting.where('state', 'waiting').andWhere('run_at', '<=', now as number))
            .orWhere((expired) => expired.where('state', 'running').andWhere('lease_until', '<', now as number)),
        )
        .orderBy('run_at')
        .limit(places);
      if ((await rowsOf(this.#database.reader, due.clone().select('id'))).length === 0) return [];
      return await this.#database.write(
        async (transaction) => {
          const select = due.clone().select('id', 'name', 'input', 'attempt');
          const locked = transaction.dialect === 'postgres' ? select.forUpdate().skipLocked() : select;
          const claimed: ClaimedJob[] = [];
          for (const row of await rowsOf(transaction, locked)) {
            const job = {
              id: Number(row.id),
              name: String(row.name),
              input: codec.decode('json', row.input),
              attempt: Number(row.attempt) + 1,
            };
            const lasting = lease.jobs.get(job.name)?.lease ?? POLL_MS;
            const { id, ...claim } = this.#ownClaim(job);
            const until = codec.encode('datetime', new Date(Date.now() + lasting));
            await rowsOf(
              transaction,
              knex('core_job')
                .where({ id })
                .update({ ...claim, lease_until: until }),
            );
            claimed.push(job);
          }
          return claimed;
        },
        { label: 'claim jobs' },
      );
    } finally {
      lease.release();
    }
  }

  async #perform(job: ClaimedJob): Promise<void> {
    const account = this.#openAccount();
    if (!account) return this.#attempt(job, null);
    await withAccount(account, () => this.#attempt(job, account));
    account.close(`job ${job.name}`);
  }

  async #attempt(job: ClaimedJob, account: CodeAccount | null): Promise<void> {
    const lease = this.#host.lease();
    const definition = lease.jobs.get(job.name);
    const [part, call] = guarded(job.name, job.input, definition);
    const stopped = new AbortController();
    const stop = (): void => stopped.abort();
    this.#stop.signal.addEventListener('abort', stop);
    const renewal = setInterval(
      () => void this.#renew(job, definition?.lease ?? POLL_MS).catch(stop),
      (definition?.lease ?? POLL_MS) / 3,
    );
    try {
      if (!definition) throw new Error(`No enabled addon declares job "${job.name}".`);
      if (this.#breakers.blocks(part, call)) {
        await this.#postpone(job, new Date(this.#breakers.retryAt(part)));
        return;
      }
      const input = definition.input.parse(job.input);
      const { signal } = stopped;
      await lease.read((ctx) =>
        inAddon(part.addon, () =>
          definition.run({
            ctx,
            input,
            attempt: job.attempt,
            write: (work) => lease.write((writing) => checked(writing, definition, work)),
            signal,
          }),
        ),
      );
      this.#breakers.succeed(part, call);
      await this.#end(job);
    } catch (error) {
      account?.failed(error);
      if (!stopped.signal.aborted && this.#breakers.isChargeable(error)) this.#breakers.fail(part, call, error);
      this.#log.warn(
        { err: error, job: job.name, id: job.id, attempt: job.attempt, addon: job.name.split('.')[0] },
        'A job failed',
      );
      await this.#fail(job, definition?.attempts ?? 1, error);
    } finally {
      clearInterval(renewal);
      this.#stop.signal.removeEventListener('abort', stop);
      lease.release();
    }
  }

  /** Only the run that still holds the claim may record its result: same owner, same attempt. */
  #ownClaim(job: ClaimedJob): { id: number; owner: string; attempt: number; state: string } {
    return { id: job.id, owner: this.#owner, attempt: job.attempt, state: 'running' };
  }

  async #renew(job: ClaimedJob, lasting: number): Promise<void> {
    const { knex, codec } = this.#database;
    const until = codec.encode('datetime', new Date(Date.now() + lasting));
    await this.#write('renew job lease', knex('core_job').where(this.#ownClaim(job)).update({ lease_until: until }));
  }

  async #end(job: ClaimedJob): Promise<void> {
    await this.#write('end job', this.#database.knex('core_job').where(this.#ownClaim(job)).delete());
  }

  async #fail(job: ClaimedJob, attempts: number, error: unknown): Promise<void> {
    const { knex, codec } = this.#database;
    const text = (Error.isError(error) ? error.message : String(error)).slice(0, 2_000);
    const dead = job.attempt >= attempts;
    const values = {
      ...released,
      state: dead ? 'dead' : 'waiting',
      run_at: codec.encode('datetime', new Date(Date.now() + backoff(job.attempt))),
      error: text,
    };
    await this.#write('fail job', knex('core_job').where(this.#ownClaim(job)).update(values));
  }

  /** Puts a job that is off back into the queue, without counting the attempt. */
  async #postpone(job: ClaimedJob, until: Date): Promise<void> {
    const { knex, codec } = this.#database;
    const values = { ...released, state: 'waiting', run_at: codec.encode('datetime', until), attempt: job.attempt - 1 };
    await this.#write('postpone job', knex('core_job').where(this.#ownClaim(job)).update(values));
  }

  async #write(label: string, query: Knex.QueryBuilder): Promise<void> {
    await this.#database.write((transaction) => rowsOf(transaction, query), { label });
  }

  /**
   * Queues scheduled jobs that are due. The node that advances `next_at` queues the job, so each tick causes one run across all nodes. A
   * stored `next_at` further ahead than clock differences between nodes can explain comes from a clock that was ahead, or from a former
   * schedule, and is moved back.
   */
  async #tickCron(): Promise<void> {
    const lease = this.#host.lease();
    try {
      const timed = [...lease.jobs.values()].filter((job) => job.cron !== undefined);
      if (timed.length === 0) return;
      const { knex, codec } = this.#database;
      const rows = await rowsOf(this.#database.reader, knex('core_cron').select('name', 'next_at'));
      const stored = new Map(rows.map((row) => [String(row.name), codec.decode('datetime', row.next_at) as Date]));
      const now = new Date();
      const ahead: JobDefinition[] = [];
      for (const job of timed) {
        const next = stored.get(job.name);
        if (!next || next <= now) await this.#tick(job, next, now);
        else if (next > this.#latestRun(job, now)) ahead.push(job);
      }
      if (ahead.length > 0) await this.#moveTimetableBack(ahead, [...lease.jobs.values()], now);
    } finally {
      lease.release();
    }
  }

  #latestRun({ name, cron = '' }: JobDefinition, now: Date): Date {
    const from = new Date(now.getTime() + CLOCK_TOLERANCE_MS);
    const cached = this.#latestRuns.get(name);
    if (cached && cached.cron === cron && cached.from <= from && from < cached.at) return cached.at;
    const latestRun = nextRun(cron, from);
    this.#latestRuns.set(name, { cron, from, at: latestRun });
    return latestRun;
  }

  async #moveTimetableBack(ahead: readonly JobDefinition[], jobs: readonly JobDefinition[], now: Date): Promise<void> {
    const { knex, codec } = this.#database;
    const leaseMs = Math.max(...jobs.map(({ lease }) => lease));
    await this.#database.write(
      async (transaction) => {
        for (const job of ahead) {
          const next = codec.encode('datetime', nextRun(job.cron, now)) as number;
          const later = knex('core_cron').where({ name: job.name }).andWhere('next_at', '>', next);
          await rowsOf(transaction, later.update({ next_at: next }));
        }
        await moveJobsBack(transaction, this.#database, { now, pauseMs: MAX_PAUSE_MS * 1.25, leaseMs });
        if (this.#clockRepair) await this.#queue(transaction, this.#clockRepair.name, now);
      },
      { label: 'move timetable back' },
    );
    this.#log.warn({ jobs: ahead.map(({ name }) => name) }, 'The timetable was ahead of the clock, and was moved back');
  }

  async #tick(job: JobDefinition, expected: Date | undefined, now: Date): Promise<void> {
    const { knex, codec } = this.#database;
    const next = codec.encode('datetime', nextRun(job.cron, now));
    await this.#database.write(
      async (transaction) => {
        if (!expected) {
          const first = knex('core_cron').insert({ name: job.name, next_at: next });
          await rowsOf(transaction, first.onConflict('name').ignore());
          return;
        }
        const previousRun = codec.encode('datetime', expected);
        const due = knex('core_cron').where({ name: job.name, next_at: previousRun as number });
        if ((await changesOf(transaction, due.update({ next_at: next }))) === 0) return;
        // Otherwise runs would pile up while the job is off.
        if (this.#breakers.isOff(...guarded(job.name, {}, job))) return;
        await this.#queue(transaction, job.name, now);
      },
      { label: 'tick timetable' },
    );
  }

  async #queue(transaction: Transaction, name: string, now: Date): Promise<void> {
    const { knex, codec } = this.#database;
    const timestamp = codec.encode('datetime', now);
    const row = {
      name,
      input: codec.encode('json', {}),
      state: 'waiting',
      run_at: timestamp,
      attempt: 0,
      create_date: timestamp,
    };
    await rowsOf(transaction, knex('core_job').insert(row));
    transaction.touch('core_job');
  }
}

/** Columns of a job that no node runs. Waiting runs can't share a key; a started run gives it up to the newer one. */
const released = { key: null, owner: null, lease_until: null };

/** A job for its breaker. */
function guarded(name: string, input: unknown, declared?: JobDefinition): readonly [GuardedPart, GuardedCall] {
  const [addon = ''] = name.split('.');
  return [
    { addon, kind: 'job', name, declared },
    { visitor: null, input },
  ];
}

function nextRun(cron = '', from: Date): Date {
  return CronExpressionParser.parse(cron, { currentDate: from, tz: 'UTC' }).next().toDate();
}

/** Runs a transaction of a job. In development, a job that sends undeclared email fails, since actions couldn't announce the email. */
async function checked<R>(ctx: Ctx, { name, mails }: JobDefinition, work: (ctx: Ctx) => Promise<R>): Promise<R> {
  const result = await work(ctx);
  if (ctx.config.strict && !mails && queuedMail(ctx))
    throw new Error(`Job "${name}" sends mail. Declare it with \`mails: true\`.`);
  return result;
}
