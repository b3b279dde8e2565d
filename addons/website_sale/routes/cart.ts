import { SaleOrder, typedQuantity, wholeQuantity } from '@pergola/sale';
import { action, Conflict, redirect, route, z } from 'pergola';
import { cartGlance, cartValues } from '../pages/cart.ts';
import { countNewCart } from '../services/cart/begin-cart.ts';
import { type CartAnswer, changeCart, putBack } from '../services/cart/change-cart.ts';
import { changedQuery, linesIn, refreshCart } from '../services/cart/refresh.ts';
import { cartOf, isBeingPaid } from '../services/cart/session-cart.ts';
import { cartState } from '../services/cart/totals.ts';
import { unitPrices } from '../services/cart/unit-prices.ts';
import { majorUnits, variantWith } from '../services/catalogue/product-data.ts';
import { PRICELIST_COOKIE } from '../services/shop-attribute.ts';
import { t } from '../texts.ts';

const id = z.coerce.number().int().min(0).max(2_147_483_647);
/** Optional id: null, false, 0 and an empty string count as missing. */
const maybeId = z
  .union([id, z.null(), z.literal(false), z.literal('')])
  .optional()
  .transform((value) => (typeof value === 'number' && value > 0 ? value : null));

export const cartPage = route.page(
  '/shop/cart',
  {
    name: 'website_sale.cart',
    query: z.object({
      note: z.string().max(20).catch('').default(''),
      priced: z.string().max(500).catch('').default(''),
      promo: z.enum(['taken', 'removed', 'wrong', '']).catch('').default(''),
      code: z.string().max(64).catch('').default(''),
    }),
    cache: false,
  },
  async ({ ctx, query, render }) =>
    render(
      'website_sale.cart',
      await cartValues(ctx, {
        note: query.note,
        repriced: linesIn(query.priced),
        promo: { outcome: query.promo, typed: query.code },
      }),
    ),
);

/** Updates the caller's cart to current prices and removes products that are no longer sold. */
export const cartRefresh = route.form(
  '/shop/cart/refresh',
  { name: 'website_sale.cart_refresh', page: '/shop/cart', writes: true, body: z.looseObject({}) },
  async ({ ctx, request, url }) => {
    const order = await cartOf(ctx);
    if (order === null || (await isBeingPaid(ctx, order))) return redirect(url('/shop/cart'));
    const news = await refreshCart(ctx, order);
    if (news.isListGone) request.setCookie(PRICELIST_COOKIE, '', { maxAge: 0, httpOnly: true });
    return redirect(url('/shop/cart') + changedQuery(news));
  },
);

/** Adds a product to the cart: a variant by its id, or by its chosen attribute values. */
export const cartUpdate = route.form(
  '/shop/cart/update',
  {
    name: 'website_sale.cart_update',
    page: ({ values: { product_template_id: id } }) => (id ? `/shop/product/${encodeURIComponent(id)}` : '/shop/cart'),
    writes: true,
    body: z.looseObject({
      product_id: maybeId,
      product_template_id: maybeId,
      add_qty: z.string().max(30).optional(),
      set_qty: z.string().max(30).optional(),
    }),
    rate: { calls: 20_000, seconds: 3600 },
  },
  async ({ ctx, body, url }) => {
    const { product_id, product_template_id, add_qty, set_qty } = body;
    const product =
      product_id ??
      (product_template_id === null ? null : await variantWith(ctx, product_template_id, chosenValues(body)));
    if (product === null)
      throw new Conflict('Product not available in this combination.', { code: 'website_sale.no_variant' });
    const isSet = set_qty !== undefined && set_qty !== '' && set_qty !== '0';
    const quantity = typedQuantity(ctx, isSet ? set_qty : (add_qty ?? 1));
    const isEmpty = wholeQuantity(quantity) <= 0;
    if (isEmpty && (await cartOf(ctx)) === null) return redirect(url('/shop/cart'));
    const answer = await changeCart(ctx, {
      line: null,
      product,
      ...(isSet ? { set: quantity } : { add: quantity }),
    });
    return redirect(url('/shop/cart') + noteFor(answer));
  },
);

/** Returns the values of `attribute-<template>-<attribute>` fields. */
function chosenValues(body: Readonly<Record<string, unknown>>): number[] {
  return Object.entries(body).flatMap(([name, value]) =>
    /^attribute-\d+-\d+$/.test(name) && typeof value === 'string' && /^\d{1,9}$/.test(value) ? [Number(value)] : [],
  );
}

function noteFor({ warning, quantity, cut }: Pick<CartAnswer, 'warning' | 'quantity' | 'cut'>): string {
  if (warning === undefined) return '';
  if (cut) return `?note=${cut}`;
  return quantity > 0 ? '?note=short' : '?note=out';
}

const change = {
  line_id: maybeId,
  product_id: maybeId,
  add_qty: z.unknown().optional(),
  set_qty: z.unknown().optional(),
};

/** Changes a line of the caller's cart. A quantity that isn't a number counts as 0, which removes the line. */
export const cartUpdateJson = action(
  '/shop/cart/update_json',
  {
    name: 'website_sale.cart_update_json',
    form: { page: '/shop/cart' },
    input: z.looseObject({ ...change, display: z.boolean().optional() }),
    prepare: ({ ctx, request }) => countNewCart(ctx, request.ip),
  },
  async ({ ctx, input, renderFragment }) => {
    const answer = await changeCart(ctx, {
      line: input.line_id,
      product: input.product_id,
      set: typedQuantity(ctx, input.set_qty),
      add: typedQuantity(ctx, input.add_qty),
    });
    if (input.display === false) return null;
    const { totals, lines, quantity } = await cartState(ctx.sudo(), answer.order); // The cart is the caller's own.
    return {
      line_id: answer.line ?? input.line_id ?? false,
      quantity: answer.quantity,
      cart_quantity: quantity,
      amount_total: majorUnits(totals.total, totals.currency),
      /** Amounts by line id. */
      lines: Object.fromEntries(lines.map(({ id: line, amount }) => [line, majorUnits(amount, totals.currency)])),
      'website_sale.total': await renderFragment('website_sale.cart_total', { totals }),
      ...(answer.warning === undefined ? {} : { warning: answer.warning }),
    };
  },
  ({ url, result }) => url('/shop/cart') + (result ? noteFor(result) : ''),
);

/** Lines and total of the caller's cart, for the preview. */
export const cartLines = route.rpc(
  '/shop/cart/lines',
  { name: 'website_sale.cart_lines', input: z.looseObject({}) },
  ({ ctx }) => cartGlance(ctx),
);

/** Puts back the line that was last removed from the cart. */
export const cartUndo = route.form(
  '/shop/cart/undo',
  { name: 'website_sale.cart_undo', page: '/shop/cart', writes: true, body: z.looseObject({}) },
  async ({ ctx, url }) => {
    const answer = await putBack(ctx);
    return redirect(url('/shop/cart') + (answer ? noteFor(answer) : ''));
  },
);

/** Empties the caller's cart. */
export const cartClean = action(
  '/shop/cart/clean',
  {
    name: 'website_sale.cart_clean',
    form: {
      page: '/shop/cart',
      confirm: (ctx) => ({ question: t(ctx, 'Empty your cart?'), yes: t(ctx, 'Empty the cart') }),
    },
  },
  async ({ ctx }) => {
    const order = await cartOf(ctx);
    if (order !== null) await ctx.sudo().model(SaleOrder).clean(order); // The cart is the caller's own.
    return {};
  },
  ({ url }) => url('/shop/cart'),
);

/** Unit prices of variants for a quantity, by id; leaves out variants the caller can't see. */
export const unitPrice = route.rpc(
  '/shop/get_unit_price',
  {
    name: 'website_sale.unit_price',
    input: z.looseObject({
      product_ids: z.array(id).max(1000),
      add_qty: z.unknown().optional(),
      use_order_pricelist: z.boolean().optional(),
      line_id: maybeId,
    }),
  },
  ({ ctx, input }) =>
    unitPrices(ctx, {
      products: input.product_ids,
      quantity: typedQuantity(ctx, input.add_qty),
      asCart: input.use_order_pricelist === true,
      line: input.line_id,
    }),
);
