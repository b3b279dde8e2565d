import { job, z } from 'pergola';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { Payments } from '../services/payment/payments.ts';
import { testNotification } from '../services/payment/test-card.ts';

/** Simulates the provider's delayed notification that a payment is done. */
export const sendTestNotification = job('sale.test_card_tells', {
  mails: true,
  input: z.object({
    acquirer: z.number().int(),
    event: z.string(),
    reference: z.string(),
    amount: z.number().int(),
    currency: z.string(),
  }),
  run: async ({ ctx, input, write }) => {
    const { acquirer, ...notice } = input;
    const { secret_key } = await ctx.model(PaymentAcquirer).get(acquirer, { select: { secret_key: true } });
    const notification = testNotification(secret_key, { ...notice, state: 'done' }, ctx.now());
    await write((writing) => writing.get(Payments).notified(acquirer, notification));
  },
});
