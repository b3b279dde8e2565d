import { type Ctx, type Id, NotFound, redirect, reply, route, z } from 'pergola';
import { SaleOrder } from '../models/sale-order.ts';
import { orderByToken } from '../services/orders/by-token.ts';
import { changesSince, MAX_TOKEN, OrderChanged } from '../services/orders/order-content.ts';
import { epcText } from '../services/payment/bank-account.ts';
import { Payments } from '../services/payment/payments.ts';
import { Transfers } from '../services/payment/transfers.ts';

const base = '/payment/order/:order/:token';
const orderParams = {
  order: z.coerce.number().int().min(1).max(2_147_483_647),
  token: z.string().min(1).max(100),
};
const params = { ...orderParams, acquirer: z.coerce.number().int().min(1).max(2_147_483_647) };
const key = z.string().max(200).optional();
/** Version of the order the customer agrees to, from the page. */
const version = z.string().max(MAX_TOKEN).optional();
const rate = { calls: 120, seconds: 60 };
/** Forms with only hidden fields, on pages of several addons; errors are shown on the page they were sent from. */
const fieldless = { page: '/' } as const;

/**
 * Starts a payment of the amount due, for holders of the order's link, and returns its payment form. The same key returns the same payment.
 */
export const payOrder = route.rpc(
  `${base}/transaction/:acquirer`,
  {
    name: 'sale.pay_order',
    writes: true,
    params,
    input: z.looseObject({ key, version, amount: z.number().int().optional() }),
    rate,
  },
  async ({ ctx, params, input, renderFragment }) =>
    renderFragment('sale.payment_form', await startPayment(ctx, { ...params, ...input })),
);

/** The same without JavaScript: a page with the form. */
export const payOrderForm = route.form(
  `${base}/transaction/:acquirer/form`,
  {
    name: 'sale.pay_order_form',
    ...fieldless,
    writes: true,
    params,
    body: z.object({ key, version, amount: z.coerce.number().int().optional() }),
    rate,
  },
  async ({ ctx, params, body, render }) => {
    try {
      return render('sale.pay_on', await startPayment(ctx, { ...params, ...body }));
    } catch (error) {
      if (!(error instanceof OrderChanged)) throw error;
      const link = await orderPath(ctx.sudo(), params.order); // The token was compared before.
      return render('sale.order_changed', { changes: error.changes, link }, { status: 409 });
    }
  },
);

interface Asked {
  readonly order: Id;
  readonly token: string;
  readonly acquirer: Id;
  readonly key?: string | undefined;
  readonly amount?: number | undefined;
  readonly version?: string | undefined;
}

/** @throws everything that `Payments.start` throws */
async function startPayment(ctx: Ctx, { order, token, acquirer, key: attemptKey, amount, version: seen }: Asked) {
  const system = await orderByToken(ctx, order, token);
  const returnUrl = `${await orderPath(system, order)}#payment`;
  const { form } = await system
    .get(Payments)
    .start({ order, acquirer, amount, key: attemptKey ?? null, version: seen, returnUrl });
  return { form, provider: String(acquirer), post: form.method === 'post' };
}

/** Returns the customer's page of the order. */
async function orderPath(system: Ctx, order: Id): Promise<string> {
  return (await system.model(SaleOrder).threadPaths([order])).get(order) || '/';
}

/** Accepts changes to a placed order on behalf of its customer, such as another date or place. */
export const acceptChanges = route.form(
  `${base}/accept-changes`,
  {
    name: 'sale.accept_changes',
    ...fieldless,
    writes: true,
    params: orderParams,
    body: z.looseObject({ version }),
    rate,
  },
  async ({ ctx, params: { order, token }, body, render, url }) => {
    const system = await orderByToken(ctx, order, token);
    const orders = system.model(SaleOrder);
    const link = await orderPath(system, order);
    await system.lock(SaleOrder, [order]);
    const changes = body.version ? changesSince(system, body.version, await orders.content(order)) : [];
    if (changes.length > 0) return render('sale.order_changed', { changes, link }, { status: 409 });
    await orders.acceptChanges(order);
    return redirect(url(link));
  },
);

/** QR code for banking apps with the transfer an order awaits. */
export const transferCode = route.http(
  `${base}/transfer.svg`,
  {
    name: 'sale.transfer_code',
    method: 'GET',
    params: orderParams,
    rate,
    prepare: async ({ ctx, params: { order, token } }) => {
      const system = await orderByToken(ctx, order, token);
      const text = epcText(await system.get(Transfers).bankDetails(order));
      if (text === null) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
      // Loaded on demand, because few requests need it.
      const { default: QrCode } = await import('qrcode');
      return QrCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
    },
  },
  ({ prepared }) =>
    reply.body(prepared, 'image/svg+xml', { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' }),
);
