import { type Id, type JobRun, job, z } from 'pergola';
import { MailingDelivery } from '../services/delivery.ts';

/** How long one run sends before it lets other jobs in, in milliseconds. */
const SLICE = 5_000;

/**
 * Sends mailings whose time has come, the oldest first, for a few seconds, and queues itself again while there is more. Each mail is recorded as it is
 * sent, so a run that is killed goes on where it was.
 */
export const sendMailings = job('mass_mailing.send', {
  mails: true,
  input: z.object({}),
  lease: 15_000,
  attempts: 1_000,
  run: send,
});

/** Finds mailings that nobody sends although they should be: after a crash, or when a queue was lost. */
export const watchMailings = job('mass_mailing.watch', {
  mails: true,
  label: 'Send mailings whose time has come',
  input: z.object({}),
  cron: '*/5 * * * *',
  run: async ({ ctx, write }) => {
    const waiting = await ctx.model('mail.mass_mailing').count(due(ctx.now()));
    if (waiting > 0) await write((writing) => writing.jobs.enqueue(sendMailings, {}, { key: 'send' }));
  },
});

/** Mailings that are to go out now and that no living run has. */
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
  /** Mailings that go on later, such as for recipients who are tried again: they don't keep the others from being sent. */
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
  const at = [...later.values()].sort((a, b) => a.getTime() - b.getTime())[0];
  if (at) await write((writing) => writing.jobs.enqueue(sendMailings, {}, { at, key: `at ${at.toISOString()}` }));
}
