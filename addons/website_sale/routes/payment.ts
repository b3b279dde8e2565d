import { MAX_TOKEN, OrderChanged, orderByToken, PaymentAcquirer, Payments, SaleOrder } from '@pergola/sale';
import { type Ctx, type Id, NotFound, type Reply, redirect, route, z } from 'pergola';
import type { RenderPage } from 'pergola/http';
import { paymentValues } from '../pages/payment.ts';
import { cartOf, isBeingPaid, LAST_ORDER, lastOrderOf } from '../services/cart/session-cart.ts';
import { isGift } from '../services/checkout/gift.ts';
import { statusOf } from '../services/checkout/status.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { orderUrl } from '../services/order-url.ts';
import { filledCart } from './checkout.ts';

const validatePath = '/shop/payment/validate';

/** Payment methods for the caller's cart. */
export const paymentPage = route.page(
  '/shop/payment',
  { name: 'website_sale.payment', query: z.object({ note: z.string().max(20).catch('').default('') }), cache: false },
  async ({ ctx, query, render, url }) => {
    const order = await filledCart(ctx);
    if (order === null) return redirect(url('/shop'), 302);
    const system = ctx.sudo(); // The cart is the caller's own.
    const { invoice_name, invoice_phone } = await system
      .model(SaleOrder)
      .get(order, { select: { invoice_name: true, invoice_phone: true } });
    if (!invoice_name || (!invoice_phone && !(await isGift(system, order))))
      return redirect(url('/shop/checkout'), 302);
    return render('website_sale.payment', await paymentValues(ctx, order, query.note));
  },
);

const method = { acquirer: z.coerce.number().int().min(1).max(2_147_483_647) };
const key = z.string().max(200).optional();
/** Version of the order the customer agrees to, from the page. */
const version = z.string().max(MAX_TOKEN).optional();

/** Starts the payment of the caller's cart and returns its payment form. The same key returns the same payment. */
export const transaction = route.rpc(
  '/shop/payment/transaction/:acquirer',
  {
    name: 'website_sale.transaction',
    writes: true,
    params: method,
    input: z.looseObject({ key, version }),
    rate: { calls: 20_000, seconds: 3600 },
  },
  async ({ ctx, params, input, renderFragment }) => {
    const form = await startPayment(ctx, params.acquirer, input);
    return renderFragment('sale.payment_form', form);
  },
);

/** The same without JavaScript: a page with the form. Not an `action`, because the call returns markup that can't become a page. */
export const transactionForm = route.form(
  '/shop/payment/transaction/:acquirer/form',
  {
    name: 'website_sale.transaction_form',
    page: '/shop/payment',
    writes: true,
    params: method,
    body: z.object({ key, version }),
    rate: { calls: 20_000, seconds: 3600 },
  },
  async ({ ctx, params, body, render }) => {
    try {
      const form = await startPayment(ctx, params.acquirer, body);
      return render('website_sale.pay_on', { ...form, steps: stepsOf(ctx, 3) });
    } catch (error) {
      return askAgain(ctx, error, render);
    }
  },
);

/** Shows the payment page with the changes since its customer loaded it. @throws every other error */
async function askAgain(ctx: Ctx, error: unknown, render: RenderPage): Promise<Reply> {
  const order = await filledCart(ctx);
  if (!(error instanceof OrderChanged) || order === null) throw error;
  return render('website_sale.payment', await paymentValues(ctx, order, '', error.changes), { status: 409 });
}

/** @throws NotFound without a cart; everything that `Payments.start` throws */
async function startPayment(
  ctx: Ctx,
  acquirer: Id,
  sent: { readonly key?: string | undefined; readonly version?: string | undefined },
) {
  const order = await filledCart(ctx);
  if (order === null) throw new NotFound('There is nothing to pay.', { code: 'website_sale.no_cart' });
  const system = ctx.sudo(); // The cart is the caller's own.
  const returnUrl = await returnPath(system, order, acquirer);
  const { form } = await system
    .get(Payments)
    .start({ order, acquirer, key: sent.key ?? null, version: sent.version, returnUrl });
  ctx.session.set(LAST_ORDER, order);
  return { form, provider: String(acquirer), post: form.method === 'post' };
}

/**
 * Returns where the customer comes back to. Providers return to the order itself, whatever is in the cart by then, since a payment may take
 * a while. A transfer is only announced, and the session still knows its order.
 */
async function returnPath(system: Ctx, order: Id, acquirer: Id): Promise<string> {
  const [method] = await system.model(PaymentAcquirer).read([acquirer], { select: { validation: true } });
  if (method?.validation === 'manual') return validatePath;
  const { access_token } = await system.model(SaleOrder).get(order, { select: { access_token: true } });
  return `${validatePath}/${order}/${access_token}`;
}

/** Payment status of the order the caller placed last; other orders return NotFound. */
export const getStatus = route.rpc(
  '/shop/payment/get_status/:order',
  { name: 'website_sale.get_status', params: { order: z.coerce.number().int() } },
  async ({ ctx, params, renderFragment }) => {
    const order = lastOrderOf(ctx);
    if (order === null || order !== params.order)
      throw new NotFound('We can’t find this order.', { code: 'website_sale.no_order' });
    const status = await statusOf(ctx, order);
    return {
      state: status.state,
      message: await renderFragment('website_sale.status', { status }),
      validation: status.validation,
    };
  },
);

/** Return URL after paying the last order of this session. Read-only. */
export const validate = route.page(
  validatePath,
  { name: 'website_sale.validate', cache: false },
  async ({ ctx, url }) => {
    const order = lastOrderOf(ctx);
    return redirect(url(order === null ? '/shop' : await pathAfterPayment(ctx, order)), 302);
  },
);

/** Return URL after paying an order, regardless of the current cart. Read-only. */
export const validateOrder = route.page(
  `${validatePath}/:order/:token`,
  {
    name: 'website_sale.validate_order',
    params: { order: z.coerce.number().int().min(1).max(2_147_483_647), token: z.string().min(1).max(100) },
    cache: false,
  },
  async ({ ctx, params: { order, token }, url }) => {
    await orderByToken(ctx, order, token);
    return redirect(url(await pathAfterPayment(ctx, order)), 302);
  },
);

/**
 * Next page after paying an order of the caller: the thank-you page if it is paid or the payment is pending, otherwise the payment options.
 * These are on the payment page, or on the order page if the caller's cart has changed since.
 */
async function pathAfterPayment(ctx: Ctx, order: Id): Promise<string> {
  const { state } = await statusOf(ctx, order);
  if (order === lastOrderOf(ctx) && (state === 'done' || state === 'pending')) return '/shop/confirmation';
  if (order !== (await cartOf(ctx))) return `${await orderUrl(ctx, order)}#payment`;
  return state === 'draft' ? '/shop/payment' : '/shop/payment?note=failed';
}

/** Places a free order without a payment. */
export const validateFree = route.form(
  validatePath,
  { name: 'website_sale.validate_free', page: '/shop/payment', writes: true, body: z.looseObject({ version }) },
  async ({ ctx, body, render, url }) => {
    const order = await filledCart(ctx);
    if (order === null) return redirect(url(lastOrderOf(ctx) === null ? '/shop' : '/shop/confirmation'));
    try {
      await ctx.sudo().get(Payments).confirmFree(order, body.version); // The cart is the caller's own; the call refuses orders that aren't free.
    } catch (error) {
      return askAgain(ctx, error, render);
    }
    ctx.session.set(LAST_ORDER, order);
    return redirect(url('/shop/confirmation'));
  },
);

/** Cancels a payment that was only started, so that the cart can be changed again. */
export const cancelPayment = route.form(
  '/shop/payment/cancel',
  { name: 'website_sale.change_mind', page: '/shop/cart', writes: true, body: z.looseObject({}) },
  async ({ ctx, url }) => {
    const order = await filledCart(ctx);
    // The cart is the caller's own.
    if (order !== null && (await isBeingPaid(ctx, order))) await ctx.sudo().model(SaleOrder).reopen([order]);
    return redirect(url('/shop/cart'));
  },
);
