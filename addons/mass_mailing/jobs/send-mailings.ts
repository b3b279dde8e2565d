import { type Id, type JobRun, job, z } from 'pergola';
import { MailingDelivery } from '../services/delivery.ts';

/** Milliseconds a run sends before it yields to other jobs. */
const SLICE = 5_000;

/**
 * Sends due mailings for a few seconds, oldest first, and requeues itself while there are more. Each email is recorded when it is sent, so
 * a run that was killed resumes where it stopped.
 */
export const sendMailings = job('mass_mailing.send', {
  mails: true,
  input: z.object({}),
  lease: 15_000,
  attempts: 1_000,
  run: send,
});

/** Restarts mailings whose run has died after a crash or a lost queue. */
export const watchMailings = job('mass_mailing.watch', {
  mails: true,
  label: 'Send scheduled mailings',
  input: z.object({}),
  cron: '*/5 * * * *',
  run: async ({ ctx, write }) => {
    const waiting = await ctx.model('mail.mass_mailing').count(due(ctx.now()));
    if (waiting > 0) await write((writing) => writing.jobs.enqueue(sendMailings, {}, { key: 'send' }));
  },
});

/** Due mailings without an active run. */
function due(now: Date) {
  return [
    '|',
    '&',
    ['state', '=', 'in_queue'],
    ['schedule_date', '<=', now],
    '&',
    ['state', '=', 'sending'],
    '|',
    ['runner_until', '=', null],
    ['runner_until', '<', now],
  ] as const;
}

async function send(work: JobRun<object>): Promise<void> {
  const { ctx, write } = work;
  const end = Date.now() + SLICE;
  /** Mailings that resume later, such as for retries; they don't block the others. */
  const later = new Map<Id, Date>();
  for (;;) {
    const [next] = await ctx
      .model('mail.mass_mailing')
      .search([['id', 'not in', [...later.keys()]], ...due(ctx.now())], { order: 'started_date, id', limit: 1 });
    if (next === undefined) break;
    const runner = await write((writing) => writing.model('mail.mass_mailing').beginRun(next));
    if (runner === null) continue;
    const result = await ctx.get(MailingDelivery).run(work, { mailing: next, runner, end });
    if (result.kind === 'lost') return;
    if (result.kind === 'done') continue;
    if (result.at) later.set(next, result.at);
    else return write((writing) => writing.jobs.enqueue(sendMailings, {}, { key: 'send' }));
  }
  const nextRun = [...later.values()].sort((a, b) => a.getTime() - b.getTime())[0];
  if (nextRun)
    await write((writing) =>
      writing.jobs.enqueue(sendMailings, {}, { at: nextRun, key: `at ${nextRun.toISOString()}` }),
    );
}
