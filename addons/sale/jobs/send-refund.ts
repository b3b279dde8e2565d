import { job, z } from 'pergola';
import { Refunds } from '../services/payment/refunds.ts';

/** Sends a refund to its payment provider, retrying until it responds. The reference stays the same, so the provider refunds only once. */
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
