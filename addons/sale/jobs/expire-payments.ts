import { job, z } from '#core';
import { endOverdue, overduePayments } from '../services/payment/expire.ts';

/** Ends payments that nobody finished in time; see `services/payment/expire.ts`. */
export const expirePayments = job('sale.expire_payments', {
  input: z.object({}),
  cron: '*/10 * * * *',
  run: async ({ ctx, write, signal }) => {
    for (const overdue of await overduePayments(ctx, ctx.now())) {
      if (signal.aborted) return;
      await write((writing) => endOverdue(writing, overdue));
    }
  },
});
