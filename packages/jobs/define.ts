import type { Ctx } from '@pergola/core';
import { declaredHere } from '@pergola/core';
import { databaseSession, type Transaction } from '@pergola/db';
import type { z } from 'zod';

/** Work outside a request: immediately, later, or by a schedule. */
export interface JobDefinition<T = unknown> {
  readonly kind: 'job';
  /** `addon.name` */
  readonly name: string;
  /** Label of a scheduled job, shown before an app is enabled or disabled. Default: its name. */
  readonly label?: string;
  readonly input: z.ZodType<T>;
  /** A five-field cron expression, in UTC; the job is then also queued by it with `{}`. */
  readonly cron?: string;
  /** Also queued with `{}` when its addon is enabled, for work left over while it was disabled. */
  readonly whenSwitchedOn?: boolean;
  /** Whether it sends email, or queues a job that does. Actions that queue it must be declared to send email too. */
  readonly mails?: boolean;
  /** Attempts before it becomes a dead letter, with growing pauses. Default 8. */
  readonly attempts: number;
  /** How long a run's claim outlives the last heartbeat of its node, in ms; then another node takes over. Default 9 000. */
  readonly lease: number;
  /**
   * Does the work. `ctx` is the system's (with elevated rights), read-only; `write` opens one short transaction after another. Network
   * calls and file operations belong outside `write`; `ctx.mail.send` belongs inside, since it only adds the email to the outbox. Must be
   * safe to run again.
   */
  readonly run: (work: JobRun<T>) => Promise<void>;
  readonly $?: T;
}
/** One run of a job. */
export interface JobRun<T> {
  readonly ctx: Ctx;
  readonly input: T;
  /** Number of the attempt, from 1. */
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

/** Marks a transaction that queued email; not an actual table. */
const MAIL_MARK = 'core_mail';

/** Records that a transaction queued email. */
export function markMail(transaction: Pick<Transaction, 'touch'>): void {
  transaction.touch(MAIL_MARK);
}

/** Whether the context's transaction queued email, or a job that sends some. */
export function queuedMail(ctx: Ctx): boolean {
  const { transaction } = ctx.get(databaseSession);
  return transaction !== null && hasQueuedMail(transaction);
}

/** Whether a transaction queued email, or a job that sends some. */
export function hasQueuedMail(transaction: Pick<Transaction, 'touched'>): boolean {
  return transaction.touched.has(MAIL_MARK);
}

export interface JobQueue {
  /**
   * Queues a run in the context's transaction (so it exists only after its commit). `key` limits a job to one waiting run per key; `at`
   * delays it. Needs a context that writes.
   */
  enqueue<T>(job: JobDefinition<T>, input: T, options?: { at?: Date; key?: string }): Promise<void>;
}

declare module '@pergola/core/context' {
  interface Ctx {
    readonly jobs: JobQueue;
  }
}
