import { changesSince, Payments, SaleOrder, TaxNumbers } from '@pergola/sale';
import { type Ctx, type Id, type InvalidForm, type Reply, redirect, route } from 'pergola';
import { checkoutValues } from '../pages/checkout.ts';
import { forgetMerge } from '../services/cart/merge-carts.ts';
import { changedQuery, takeOffers } from '../services/cart/refresh.ts';
import { cartOf, isBeingPaid, LAST_ORDER } from '../services/cart/session-cart.ts';
import { type AddressForm, addressForm, takeAddressForm } from '../services/checkout/address-form.ts';
import { isGift } from '../services/checkout/gift.ts';
import { guestsMayBuy } from '../settings.ts';
import { t } from '../texts.ts';

/** Returns the caller's cart, or null if it is missing or empty. */
export async function filledCart(ctx: Ctx): Promise<Id | null> {
  const order = await cartOf(ctx);
  if (order === null) return null;
  const { cart_quantity, order_line } = await ctx
    .sudo() // The cart is the caller's own.
    .model(SaleOrder)
    .get(order, { select: { cart_quantity: true, order_line: true } });
  return (cart_quantity ?? 0) > 0 && order_line.length > 0 ? order : null;
}

/** Redirects visitors to sign in if guests may not buy; returns null for everyone else. */
async function signInFirst(ctx: Ctx, url: (path: string) => string): Promise<Reply | null> {
  if (ctx.user.id !== null || (await ctx.settings.get(guestsMayBuy))) return null;
  return redirect(`${url('/web/login')}?redirect=${encodeURIComponent(url('/shop/checkout'))}`, 302);
}

/** The address form. Doesn't create a cart: visitors without one are redirected to the shop. */
export const checkoutPage = route.page(
  '/shop/checkout',
  { name: 'website_sale.checkout', cache: false },
  async ({ ctx, render, url }) => {
    const order = await filledCart(ctx);
    if (order === null) return redirect(url('/shop'), 302);
    return (await signInFirst(ctx, url)) ?? render('website_sale.checkout', await checkoutValues(ctx, order));
  },
);

/** Checks the address and copies it to the order; continues to the payment if one is due. */
export const confirmOrder = route.form(
  '/shop/confirm_order',
  {
    name: 'website_sale.confirm_order',
    writes: true,
    body: addressForm,
    rate: { calls: 20_000, seconds: 3600 },
    prepare: ({ ctx, body }) => verifyTaxNumber(ctx, body),
    invalid: showAgain,
  },
  async ({ ctx, body, render, url }) => {
    const order = await filledCart(ctx);
    if (order === null) return redirect(url('/shop'));
    const signInRedirect = await signInFirst(ctx, url);
    if (signInRedirect) return signInRedirect;
    if (await isBeingPaid(ctx, order)) return redirect(`${url('/shop/payment')}?note=paying`);
    const message = await changesText(ctx, order, body);
    if (message !== null) {
      const values = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value ?? '')]));
      return render('website_sale.checkout', await checkoutValues(ctx, order, { values, errors: {}, message }), {
        status: 409,
      });
    }
    await takeAddressForm(ctx, order, body);
    forgetMerge(ctx);
    const system = ctx.sudo(); // The cart is the caller's own.
    const problems = await system.model(SaleOrder).problems(order);
    ctx.session.set(LAST_ORDER, order);
    if (problems.length === 0) {
      if (!(await isGift(system, order))) return redirect(url('/shop/payment'));
      await system.get(Payments).confirmFree(order);
      return redirect(url('/shop/confirmation'));
    }
    return redirect(url('/shop/cart') + changedQuery(await takeOffers(ctx, order, problems)));
  },
);

/** Checks the tax number in the EU register before the order is written, since the response may take seconds. */
async function verifyTaxNumber(ctx: Ctx, { vat, country_id: country, zip }: AddressForm): Promise<void> {
  const order = vat === '' ? null : await cartOf(ctx);
  if (order === null) return;
  const system = ctx.sudo(); // The cart is the caller's own.
  const { company_id: company } = await system.model(SaleOrder).get(order, { select: { company_id: true } });
  await system.get(TaxNumbers).verify({ vat, country, zip, company });
}

/** Lists changes to a free cart since its customer loaded the order form, or returns null if nothing changed. */
async function changesText(ctx: Ctx, order: Id, { version }: AddressForm): Promise<string | null> {
  const system = ctx.sudo(); // The cart is the caller's own.
  if (version === '' || !(await isGift(system, order))) return null;
  const changes = changesSince(system, version, await system.model('sale.order').content(order));
  if (changes.length === 0) return null;
  return t(ctx, 'Your order has changed since you loaded this page. Please check it and confirm again. {changes}', {
    changes: changes.join('; '),
  });
}

async function showAgain({ ctx, render, url, values, errors, message }: InvalidForm<unknown>): Promise<Reply> {
  const order = await filledCart(ctx);
  if (order === null) return redirect(url('/shop'));
  return render('website_sale.checkout', await checkoutValues(ctx, order, { values, errors, message }));
}
