import { job, z } from 'pergola';
import { Payments } from '../services/payment/payments.ts';

/** Ends payments that were not completed in time. */
export const expirePayments = job('sale.expire_payments', {
  mails: true,
  label: 'Close abandoned payments',
  input: z.object({}),
  cron: '*/10 * * * *',
  run: async ({ ctx, write, signal }) => {
    for (const overdue of await ctx.get(Payments).overdue(ctx.now())) {
      if (signal.aborted) return;
      await write((writing) => writing.get(Payments).endOverdue(overdue));
    }
  },
});
