import { NotFound, redirect, route, safePath, z } from 'pergola';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { Payments } from '../services/payment/payments.ts';
import { isPaymentToken } from '../services/payment/token.ts';
import { transferPath } from '../services/payment/wire-transfer.ts';
import { networkKey } from '../services/stock/network.ts';

/**
 * Sets a payment to pending after the customer chose to pay by transfer. The payment page submits this form; its token proves that the
 * request belongs to the payment.
 */
export const transferFeedback = route.form(
  transferPath,
  {
    name: 'sale.transfer_feedback',
    page: ({ values }) => safePath(values.return_url ?? '/'),
    writes: true,
    body: z.object({
      reference: z.string().min(1).max(64),
      token: z.string().min(1).max(100),
      return_url: z.string().max(500).optional().default('/'),
    }),
    rate: { calls: 1200, seconds: 60 },
  },
  async ({ ctx, body, render, url }) => {
    const system = ctx.sudo(); // The token grants the right to act on this payment.
    const payment = isPaymentToken(ctx, body.reference, body.token)
      ? await system
          .model(PaymentTransaction)
          .first([['reference', '=', body.reference]], { select: { acquirer_id: { provider: true } } })
      : null;
    if (payment?.acquirer_id?.provider !== 'transfer')
      throw new NotFound('We can’t find this payment.', { code: 'sale.no_payment' });
    const changes = await system.get(Payments).endIfChanged(payment.id);
    if (changes.length > 0) return render('sale.order_changed', { changes, link: body.return_url }, { status: 409 });
    await system.model(PaymentTransaction).advance([payment.id], { state: 'pending', network: networkKey(ctx) });
    return redirect(url(body.return_url));
  },
);
