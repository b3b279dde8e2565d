import { job, z } from '#core';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { cancelOverdue } from '../services/payment/advance.ts';
import { paymentMinutes, pendingDays } from '../settings.ts';

const DAY = 24 * 60 * 60_000;

/**
 * Ends payments that nobody finished: those only begun are cancelled with the time their holds have, and orders whose transfer did not come in the days of
 * the setting are cancelled with a mail.
 */
export const expirePayments = job('sale.expire_payments', {
  input: z.object({}),
  cron: '*/10 * * * *',
  run: async ({ ctx, write, signal }) => {
    const now = ctx.now().getTime();
    const overdue = new Date(now - (await ctx.settings.get(pendingDays)) * DAY);
    const begun = new Date(now - (await ctx.settings.get(paymentMinutes)) * 60_000);
    const rows = await ctx
      .model(PaymentTransaction)
      .find(
        [
          '|',
          '&',
          ['state', '=', 'pending'],
          ['write_date', '<', overdue],
          '&',
          ['state', '=', 'draft'],
          ['write_date', '<', begun],
        ],
        { select: { state: true, sale_order_id: true, acquirer_id: { validation: true } }, order: 'id', limit: 200 },
      );
    for (const { id, state, sale_order_id, acquirer_id } of rows) {
      if (signal.aborted) return;
      // Money that a provider is still working on may come at any time.
      if (state === 'pending' && acquirer_id?.validation !== 'manual') continue;
      await write(async (writing) => {
        if (state === 'pending' && sale_order_id !== null) await cancelOverdue(writing, sale_order_id);
        else await writing.model(PaymentTransaction).advance([id], { state: 'cancel' });
      });
    }
  },
});
