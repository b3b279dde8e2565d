import { job, z } from 'pergola';
import { Bounces } from '../services/bounces/bounces.ts';

/** Reads the mailboxes that receive bounces. */
export const readBounces = job('mass_mailing.read_bounces', {
  mails: true,
  label: 'Process bounced emails',
  input: z.object({}),
  cron: '*/5 * * * *',
  attempts: 1,
  lease: 120_000,
  run: async (work) => {
    for (const id of await work.ctx.model('mail.mass_mailing.mailbox').search([['active', '=', true]])) {
      if (work.signal.aborted) return;
      await work.ctx.get(Bounces).read(id, work);
    }
  },
});
