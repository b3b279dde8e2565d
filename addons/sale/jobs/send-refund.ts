import { job, z } from 'pergola';
import { Refunds } from '../services/payment/refunds.ts';

/** Asks the provider of a payment to give money back, until it has answered; by the same reference, so that it does so once. */
export const sendRefund = job('sale.send_refund', {
  mails: true,
  input: z.object({ refund: z.number().int() }),
  run: async ({ ctx, input: { refund }, write }) => {
    const request = await ctx.get(Refunds).unanswered(refund);
    if (!request) return;
    try {
      const outcome = await request.send();
      await write((writing) => writing.get(Refunds).answered(refund, outcome));
    } catch (error) {
      await write((writing) => writing.get(Refunds).unreachable(refund));
      throw error;
    }
  },
});
