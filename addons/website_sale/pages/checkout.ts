import { contentToken, SaleOrder } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';
import { ShopOrder } from '../models/sale-order.ts';
import { holdView } from '../services/cart/hold.ts';
import { linesOf } from '../services/cart/lines.ts';
import { mergeTexts } from '../services/cart/merge-carts.ts';
import { LAST_ORDER } from '../services/cart/session-cart.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { hasGoods, isGift } from '../services/checkout/gift.ts';
import { formValues } from '../services/checkout/order-address.ts';
import { OwnAddresses } from '../services/checkout/own-addresses.ts';
import { countryChoices, homeCountry, statesOfForm } from '../services/checkout/places.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { askVat } from '../settings.ts';
import { t } from '../texts.ts';

/** Submitted values of a rejected form. */
export interface Refused {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Returns the values of the checkout page for the caller's cart, as saved or as rejected. */
export async function checkoutValues(ctx: Ctx, order: Id, rejected?: Refused) {
  const system = ctx.sudo(); // The cart is the caller's own.
  const values = rejected?.values ?? (await initialValues(ctx, order));
  const totals = await totalsOf(system, order);
  const gift = await isGift(system, order);
  return {
    ...(await ctx
      .sudo()
      .model(ShopOrder)
      .checkoutShown(order, rejected?.values ?? {}, rejected?.errors ?? {})),
    steps: stepsOf(ctx, 2, gift),
    order: { id: order },
    guest: ctx.user.id === null,
    values,
    errors: rejected?.errors ?? {},
    message: rejected?.message ?? null,
    notes: mergeTexts(ctx, order),
    vat: await ctx.settings.get(askVat),
    deliverable: await hasGoods(system, order),
    gift,
    // This form places free orders; for all others, the payment page asks for consent.
    version: gift ? contentToken(await system.model('sale.order').content(order)) : '',
    holdUntil: await holdView(ctx, order),
    countries: await countryChoices(ctx),
    states: await statesOfForm(ctx, values),
    shipping: await shippingChoices(ctx),
    lines: await linesOf(ctx, order, totals.currency),
    totals,
  };
}

async function shippingChoices(ctx: Ctx) {
  const addresses = await ctx.get(OwnAddresses).deliveries();
  return [
    { id: 0, name: t(ctx, 'The same address') },
    ...addresses.map(({ id, name, street, city }) => ({ id, name: [name, street, city].filter(Boolean).join(', ') })),
    { id: -1, name: t(ctx, 'Another address') },
  ];
}

/** Initial values of the form: values entered for this cart before, or else the customer's data. */
async function initialValues(ctx: Ctx, order: Id): Promise<Record<string, string>> {
  const row = await ctx
    .sudo() // The cart is the caller's own.
    .model(SaleOrder)
    .get(order, { select: { invoice_name: true, invoice_email: true, partner_id: true } });
  // After signing out, a customer's data in an abandoned cart is no longer shown.
  const mayRead = row.partner_id === null || row.partner_id === ctx.user.partnerId;
  const accountValues = await ctx.get(OwnAddresses).checkoutValues();
  const isSent = ctx.session.get(LAST_ORDER) === order;
  if (mayRead && row.invoice_name && row.invoice_email)
    // Carts copy the customer's data from the start, except for the default delivery address.
    return { ...(await formValues(ctx, order)), ...(isSent ? {} : { shipping_id: accountValues.shipping_id ?? '0' }) };
  const home = String((await homeCountry(ctx)) ?? '');
  return { shipping_country_id: home, ...accountValues, country_id: accountValues.country_id || home };
}
