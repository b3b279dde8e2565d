import { SaleOrder } from '@pergola/sale';
import { InvalidInput, redirect, route, safePath, z } from 'pergola';
import { cartOf, isBeingPaid } from '../services/cart/session-cart.ts';
import { unchosenList } from '../services/pricing-context.ts';
import { listsToChoose, PRICELIST_COOKIE, pricelistByCode, usualList } from '../services/shop-attribute.ts';

/** How long a code is remembered, in seconds: a month. */
const CODE_MAX_AGE = 30 * 24 * 3600;

/** Maximum length of a code. */
const MAX_CODE_LENGTH = 64;

/**
 * Applies a promo code: its prices count for the cart and on all pages from then on. An empty code removes it. Redirects to the cart page
 * with the result in the URL, so that reloading doesn't resubmit the form.
 */
export const promo = route.form(
  '/shop/pricelist',
  {
    name: 'website_sale.promo',
    page: '/shop/cart',
    writes: true,
    body: z.object({ promo: z.string().default('') }),
    // Codes are short; the limit prevents guessing.
    rate: { name: 'website_sale.promo', calls: 20, seconds: 300 },
  },
  async ({ ctx, body, request, url }) => {
    const submittedCode = body.promo.trim();
    const match = submittedCode.length > MAX_CODE_LENGTH ? null : await pricelistByCode(ctx, submittedCode);
    if (!match && submittedCode !== '') {
      const errorQuery = new URLSearchParams({ promo: 'wrong', code: submittedCode.slice(0, MAX_CODE_LENGTH) });
      return redirect(`${url('/shop/cart')}?${errorQuery}`);
    }
    const order = await cartOf(ctx);
    const list = match?.id ?? (await unchosenList(ctx));
    // The cart is the caller's own, and the code grants these prices.
    if (order !== null && !(await isBeingPaid(ctx, order))) await ctx.sudo().model(SaleOrder).setPricelist(order, list);
    request.setCookie(PRICELIST_COOKIE, match?.cookie ?? '', { maxAge: match ? CODE_MAX_AGE : 0, httpOnly: true });
    return redirect(`${url('/shop/cart')}?promo=${match ? 'taken' : 'removed'}`);
  },
);

/** Switches to another public pricelist, for another currency. The cart follows. */
export const choosePricelist = route.form(
  '/shop/change_pricelist',
  {
    name: 'website_sale.change_pricelist',
    page: ({ values }) => safePath(values.r ?? '/shop'),
    writes: true,
    body: z.object({ pricelist: z.coerce.number().int().min(1), r: z.string().max(2000).default('/shop') }),
  },
  async ({ ctx, body, request }) => {
    const list = (await listsToChoose(ctx)).find(({ id }) => id === body.pricelist);
    if (!list) throw new InvalidInput('This pricelist isn’t available.', { code: 'website_sale.no_pricelist' });
    // Choosing the default list drops the choice: customers get the prices of their contact.
    const isUsual = list.id === (await usualList(ctx));
    const pricelist = isUsual ? await unchosenList(ctx) : list.id;
    const order = await cartOf(ctx);
    // The cart is the caller's own.
    if (order !== null && !(await isBeingPaid(ctx, order)))
      await ctx.sudo().model(SaleOrder).setPricelist(order, pricelist);
    request.setCookie(PRICELIST_COOKIE, isUsual ? '' : `l${list.id}`, {
      maxAge: isUsual ? 0 : CODE_MAX_AGE,
      httpOnly: true,
    });
    return redirect(safePath(body.r));
  },
);
