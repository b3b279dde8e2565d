import { MAX_TOKEN, OrderChanged, Payments, SaleOrder } from '#addons/sale';
import { type Ctx, type Id, NotFound, type Reply, redirect, route, z } from '#core';
import type { RenderPage } from '#core/http';
import { paymentValues } from '../pages/payment.ts';
import { isBeingPaid, LAST_ORDER, lastOrderOf } from '../services/cart/session-cart.ts';
import { isGift } from '../services/checkout/gift.ts';
import { statusOf } from '../services/checkout/status.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { filledCart } from './checkout.ts';

/** Where customers come back to from paying. */
const returnUrl = '/shop/payment/validate';

/** The ways to pay the caller's cart. */
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
/** What the customer consents to, from the page. */
const version = z.string().max(MAX_TOKEN).optional();

/** Begins the payment of the caller's cart; answers the form that pays it. The same key answers the same payment. */
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
    const form = await begin(ctx, params.acquirer, input);
    return renderFragment('sale.payment_form', form);
  },
);

/** The same without JavaScript: a page with the form. No `action`: what the call answers is markup, of which no page can be made. */
export const transactionForm = route.form(
  '/shop/payment/transaction/:acquirer/form',
  {
    name: 'website_sale.transaction_form',
    writes: true,
    params: method,
    body: z.object({ key, version }),
    rate: { calls: 20_000, seconds: 3600 },
  },
  async ({ ctx, params, body, render }) => {
    try {
      const form = await begin(ctx, params.acquirer, body);
      return render('website_sale.pay_on', { ...form, steps: stepsOf(ctx, 3) });
    } catch (error) {
      return askAgain(ctx, error, render);
    }
  },
);

/** The payment page with what has changed since its customer loaded it. @throws every other error */
async function askAgain(ctx: Ctx, error: unknown, render: RenderPage): Promise<Reply> {
  const order = await filledCart(ctx);
  if (!(error instanceof OrderChanged) || order === null) throw error;
  return render('website_sale.payment', await paymentValues(ctx, order, '', error.changes), { status: 409 });
}

/** @throws NotFound without a cart; what `Payments.start` throws */
async function begin(
  ctx: Ctx,
  acquirer: Id,
  sent: { readonly key?: string | undefined; readonly version?: string | undefined },
) {
  const order = await filledCart(ctx);
  if (order === null) throw new NotFound('There is nothing to pay.', { code: 'website_sale.no_cart' });
  // The cart is the caller's own.
  const { form } = await ctx
    .sudo()
    .get(Payments)
    .start({ order, acquirer, key: sent.key ?? null, version: sent.version, returnUrl });
  ctx.session.set(LAST_ORDER, order);
  return { form, provider: String(acquirer), post: form.method === 'post' };
}

/** How the payment of the order stands that the caller placed last; any other is not there for them. */
export const getStatus = route.rpc(
  '/shop/payment/get_status/:order',
  { name: 'website_sale.get_status', params: { order: z.coerce.number().int() } },
  async ({ ctx, params, renderFragment }) => {
    const order = lastOrderOf(ctx);
    if (order === null || order !== params.order)
      throw new NotFound('There is no such order.', { code: 'website_sale.no_order' });
    const status = await statusOf(ctx, order);
    return {
      state: status.state,
      message: await renderFragment('website_sale.status', { status }),
      validation: status.validation,
    };
  },
);

/** Back from paying: to the confirmation when money came or is on its way, else back to the ways to pay. Changes nothing. */
export const validate = route.page(returnUrl, { name: 'website_sale.validate', cache: false }, async ({ ctx, url }) => {
  const order = lastOrderOf(ctx);
  if (order === null) return redirect(url('/shop'), 302);
  const { state } = await statusOf(ctx, order);
  if (state === 'done' || state === 'pending') return redirect(url('/shop/confirmation'), 302);
  const note = state === 'draft' ? '' : '?note=failed';
  return redirect(url('/shop/payment') + note, 302);
});

/** An order that costs nothing is placed without a payment. */
export const validateFree = route.form(
  returnUrl,
  { name: 'website_sale.validate_free', writes: true, body: z.looseObject({ version }) },
  async ({ ctx, body, render, url }) => {
    const order = await filledCart(ctx);
    if (order === null) return redirect(url(lastOrderOf(ctx) === null ? '/shop' : '/shop/confirmation'));
    try {
      await ctx.sudo().get(Payments).confirmFree(order, body.version); // The cart is the caller's own; it refuses what costs something.
    } catch (error) {
      return askAgain(ctx, error, render);
    }
    ctx.session.set(LAST_ORDER, order);
    return redirect(url('/shop/confirmation'));
  },
);

/** Ends a payment that was only begun, so that the cart can be changed again. */
export const cancelPayment = route.form(
  '/shop/payment/cancel',
  { name: 'website_sale.change_mind', writes: true, body: z.looseObject({}) },
  async ({ ctx, url }) => {
    const order = await filledCart(ctx);
    // The cart is the caller's own.
    if (order !== null && (await isBeingPaid(ctx, order))) await ctx.sudo().model(SaleOrder).reopen([order]);
    return redirect(url('/shop/cart'));
  },
);
