import { randomUUID } from 'node:crypto';
import { Currency } from '@pergola/base';
import { type Ctx, NotFound, redirect, route, z } from 'pergola';
import { sendTestNotification } from '../jobs/send-test-notification.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { formatAmount } from '../services/formats.ts';
import { Payments } from '../services/payment/payments.ts';
import { outcomes, testCardPath, testNotification } from '../services/payment/test-card.ts';
import { isPaymentToken } from '../services/payment/token.ts';

/** Delay before the simulated provider completes a pending payment. */
const pendingMs = 2_000;

const paymentQuery = z.object({
  reference: z.string().min(1).max(64),
  token: z.string().min(1).max(100),
  return_url: z.string().max(500).optional().default('/'),
});

/** Page of the simulated provider: the amount, and a choice of outcomes. */
export const testCardPage = route.page(
  testCardPath,
  { name: 'sale.test_card', query: paymentQuery, cache: false },
  async ({ ctx, query, render }) => {
    const payment = await paymentOf(ctx, query);
    return render('sale.test_card', {
      ...query,
      amount: await formatAmount(ctx, payment.amount, payment.currency_id),
      open: payment.state === 'draft',
    });
  },
);

/** Simulates the chosen outcome and notifies the shop with a signed notification, like a real provider. */
export const testCardPay = route.form(
  testCardPath,
  {
    name: 'sale.test_card_pay',
    page: ({ values }) => `${testCardPath}?${new URLSearchParams(values)}`,
    writes: true,
    body: paymentQuery.extend({ outcome: z.enum(outcomes) }),
    rate: { calls: 1200, seconds: 60 },
  },
  async ({ ctx, body, render, url }) => {
    const system = ctx.sudo(); // The token grants the right to act on this payment.
    const payment = await paymentOf(ctx, body);
    const changes = body.outcome === 'refused' ? [] : await system.get(Payments).endIfChanged(payment.id);
    if (changes.length > 0) return render('sale.order_changed', { changes, link: body.return_url }, { status: 409 });
    const { name: currency } = await system.model(Currency).get(payment.currency_id, { select: { name: true } });
    const notice = { reference: body.reference, amount: payment.amount, currency };
    const state = ({ paid: 'done', refused: 'error', pending: 'pending' } as const)[body.outcome];
    const message = body.outcome === 'refused' ? 'The card was refused.' : undefined;
    const notification = testNotification(payment.secret, { ...notice, state, message }, ctx.now());
    await system.get(Payments).notified(payment.acquirer, notification);
    if (state === 'pending') {
      await system.jobs.enqueue(
        sendTestNotification,
        { acquirer: payment.acquirer, event: randomUUID(), ...notice },
        { at: new Date(ctx.now().getTime() + pendingMs), key: body.reference },
      );
    }
    return redirect(url(body.return_url));
  },
);

/** @throws NotFound unless the token belongs to the payment, and it is a test card payment */
async function paymentOf(ctx: Ctx, { reference, token }: z.infer<typeof paymentQuery>) {
  const row = isPaymentToken(ctx, reference, token)
    ? await ctx
        .sudo() // The token grants the right to see this payment.
        .model(PaymentTransaction)
        .first([['reference', '=', reference]], {
          select: { amount: true, currency_id: true, state: true, acquirer_id: { provider: true, secret_key: true } },
        })
    : null;
  if (row?.acquirer_id?.provider !== 'test_card')
    throw new NotFound('We can’t find this payment.', { code: 'sale.no_payment' });
  return { ...row, acquirer: row.acquirer_id.id, secret: row.acquirer_id.secret_key };
}
