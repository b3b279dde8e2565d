import { reply, route, z } from 'pergola';
import { Payments } from '../services/payment/payments.ts';

/**
 * Receives payment notifications from providers. A repeated notification gets the same response as the first; a forged one changes nothing.
 */
export const notify = route.http(
  '/payment/notify/:acquirer',
  {
    name: 'sale.payment_notify',
    method: 'POST',
    params: { acquirer: z.coerce.number().int().min(1) },
    body: 'raw',
    writes: true,
    limit: { bytes: 64_000 },
    rate: { calls: 6000, seconds: 60 },
    csrf: { off: 'Providers call it from outside; each notification is signed.' },
  },
  async ({ ctx, params, body, request }) => {
    const bytes = body instanceof Uint8Array ? body : new Uint8Array();
    // The signature grants the right to act on this method's payments.
    const changed = await ctx.sudo().get(Payments).notified(params.acquirer, { body: bytes, headers: request.headers });
    return reply.json({ received: true, changed });
  },
);
