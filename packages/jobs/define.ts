import type { Ctx } from '@pergola/core';
import { declaredHere } from '@pergola/core';
import { databaseSession, type Transaction } from '@pergola/db';
import type { z } from 'zod';

/** Work done outside a request: at once, later, or by a timetable. */
export interface JobDefinition<T = unknown> {
  readonly kind: 'job';
  /** `addon.thing` */
  readonly name: string;
  /** What it does, for people who read what a switch changes; of jobs with a timetable. Default its name. */
  readonly label?: string;
  readonly input: z.ZodType<T>;
  /** A five-field cron expression, in UTC; the job is then also queued by it with `{}`. */
  readonly cron?: string;
  /** Also queued, with `{}`, as its addon is switched on: for what was left while it was off. */
  readonly whenSwitchedOn?: boolean;
  /** Whether it sends mail, or queues a job that does. Actions that queue it have to be declared to send mail too. */
  readonly mails?: boolean;
  /** Tries before it becomes a dead letter, with growing pauses. Default 8. */
  readonly attempts: number;
  /** How long a run's claim outlives the last sign of life of its node, in ms; then another one takes it over. Default 9 000. */
  readonly lease: number;
  /**
   * Does the work. `ctx` is the system's (rights lifted), reads only; `write` opens one short transaction after another. What waits for
   * the network or works on files stays outside `write`; `ctx.mail.send` belongs into it, since it only puts the mail into the outbox. Must bear being
   * run again.
   */
  readonly run: (work: JobRun<T>) => Promise<void>;
  readonly $?: T;
}
/** One run of a job. */
export interface JobRun<T> {
  readonly ctx: Ctx;
  readonly input: T;
  /** Which try it is, from 1. */
  readonly attempt: number;
  /** One short transaction, committed when `work` is done and rolled back when it throws. */
  write<R>(work: (ctx: Ctx) => Promise<R>): Promise<R>;
  /** Aborted when the node stops or the lease ends. */
  readonly signal: AbortSignal;
}

/** Declares a job; see {@link JobDefinition}. Queue it with `ctx.jobs.enqueue(job, input)`. */
export function job<T>(
  name: string,
  definition: Pick<JobDefinition<T>, 'label' | 'input' | 'cron' | 'run'> &
    Partial<Pick<JobDefinition<T>, 'whenSwitchedOn' | 'mails' | 'attempts' | 'lease'>>,
): JobDefinition<T> {
  return Object.freeze(declaredHere({ kind: 'job' as const, name, attempts: 8, lease: 9_000, ...definition }, job));
}

/** Mark of a transaction that queued mail; it isn't a table. */
const MAIL_MARK = 'core_mail';

/** Notes that a transaction queued mail. */
export function markMail(transaction: Pick<Transaction, 'touch'>): void {
  transaction.touch(MAIL_MARK);
}

/** Whether the context's transaction queued mail, or a job that sends some. */
export function queuedMail(ctx: Ctx): boolean {
  return ctx.get(databaseSession).transaction?.touched.has(MAIL_MARK) ?? false;
}

export interface JobQueue {
  /**
   * Queues a run in the context's transaction (so it exists only if that commits). `key` keeps one waiting run per job and key;
   * `at` delays it. Needs a context that writes.
   */
  enqueue<T>(job: JobDefinition<T>, input: T, options?: { at?: Date; key?: string }): Promise<void>;
}

declare module '@pergola/core/context' {
  interface Ctx {
    readonly jobs: JobQueue;
  }
}
