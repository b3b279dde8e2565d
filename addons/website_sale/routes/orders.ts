import { Documents, orderDocument, SaleOrder } from '#addons/sale';
import { type Ctx, type Id, NotFound, reply, route, timingSafeEqualText, z } from '#core';
import { linesOf } from '../services/cart/lines.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { pagerOf } from '../services/catalogue/pager.ts';
import { currencyViews } from '../services/catalogue/price-view.ts';
import { orderAddresses } from '../services/checkout/order-address.ts';
import { statusOf } from '../services/checkout/status.ts';
import { orderUrls } from '../services/order-url.ts';

/** Orders on one page of the list. */
const PER_PAGE = 20;
const looks: Readonly<Record<string, string>> = { sale: 'success', done: 'success', cancel: 'secondary', sent: 'info' };

/** The orders of who is signed in. */
export const orders = route.page(
  '/shop/orders',
  {
    name: 'website_sale.orders',
    auth: 'user',
    query: z.object({ page: z.number().int().min(1).catch(1).default(1) }),
    cache: false,
  },
  async ({ ctx, query, render }) => {
    const own = [
      ['partner_id', 'child_of', ctx.user.partnerId ?? 0],
      ['is_cart', '=', false],
      ['state', '!=', 'draft'],
    ] as const;
    const model = ctx.sudo().model(SaleOrder); // Only the caller's own orders are asked for.
    const pages = Math.max(1, Math.ceil((await model.count(own)) / PER_PAGE));
    const page = Math.min(query.page, pages);
    const rows = await model.find(own, {
      select: {
        name: true,
        date_order: true,
        state: true,
        amount_total: true,
        currency_id: true,
        transaction_ids: true,
      },
      limit: PER_PAGE,
      offset: (page - 1) * PER_PAGE,
    });
    const currencies = await currencyViews(
      ctx,
      rows.map(({ currency_id }) => currency_id),
    );
    const ids = rows.map(({ id }) => id);
    const urls = await orderUrls(ctx, ids);
    // Offers of salespeople have a page of their own, where they are accepted.
    const paths = await model.threadPaths(ids);
    return render('website_sale.orders', {
      orders: rows.map((row) => ({
        url: paths.get(row.id) || (urls.get(row.id) ?? ''),
        name: row.name ?? '',
        date: row.date_order,
        state: stateText(ctx, row.state, row.transaction_ids.length > 0),
        total: row.amount_total ?? 0,
        currency: currencies.get(row.currency_id),
      })),
      pager: pagerOf(page, pages, (num) => (num === 1 ? '/shop/orders' : `/shop/orders?page=${num}`)),
    });
  },
);

const params = { order: z.coerce.number().int().min(1).max(2_147_483_647), token: z.string().min(1).max(100) };

/** An order, for whoever has its link. */
export const orderPage = route.page(
  '/shop/order/:order/:token',
  { name: 'website_sale.order', params, cache: false, rate: { calls: 120, seconds: 60 } },
  async ({ ctx, params: { order: id, token }, render, url }) => {
    const order = await orderOf(ctx, id, token);
    const system = ctx.sudo(); // The token stands for the right to see this order.
    const totals = await totalsOf(system, id);
    const paying = order.state === 'sent' || order.state === 'sale' || order.state === 'done';
    return render('website_sale.order', {
      order: {
        id,
        name: order.name ?? '',
        date: order.date_order,
        state: stateText(ctx, order.state, order.transaction_ids.length > 0),
        look: looks[order.state] ?? 'secondary',
      },
      mine: ctx.user.id !== null && ctx.user.partnerId !== null && order.partner_id === ctx.user.partnerId,
      status: paying && order.transaction_ids.length > 0 ? await statusOf(ctx, id) : null,
      pdf: `${url(`/shop/order/${id}/${token}`)}/pdf`,
      pay: null,
      lines: await linesOf(ctx, id, totals.currency),
      totals,
      ...(await orderAddresses(ctx, id)),
    });
  },
);

/** The same as a document. */
export const orderPdf = route.http(
  '/shop/order/:order/:token/pdf',
  { name: 'website_sale.order_pdf', method: 'GET', params, multilang: true, rate: { calls: 30, seconds: 60 } },
  async ({ ctx, params: { order: id, token } }) => {
    const order = await orderOf(ctx, id, token);
    const system = ctx.sudo(); // The token stands for the right to see this order.
    const file = await ctx.get(Documents).pdf(await orderDocument(system, id));
    const name = `${order.name ?? 'order'}.pdf`.replace(/[^\w.-]/g, '_');
    return reply.body(file, 'application/pdf', {
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
    });
  },
);

/** @throws NotFound, the same for a wrong token and for an order that is not there */
async function orderOf(ctx: Ctx, id: Id, token: string) {
  const order = await ctx
    .sudo() // The token is compared below before anything of it is told.
    .model(SaleOrder)
    .first(
      [
        ['id', '=', id],
        ['is_cart', '=', false],
      ],
      {
        select: {
          access_token: true,
          name: true,
          date_order: true,
          state: true,
          partner_id: true,
          transaction_ids: true,
        },
      },
    );
  const isRight = timingSafeEqualText(order?.access_token ?? 'no order, and no token is this', token);
  if (!order || !isRight) throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
  return order;
}

/** `paying`: a payment was begun; else what was sent is an offer that waits for its customer. */
function stateText(ctx: Ctx, state: string, paying: boolean): string {
  switch (state) {
    case 'sent':
      return paying ? ctx.t('Waiting for payment') : ctx.t('Quotation sent');
    case 'sale':
      return ctx.t('Confirmed');
    case 'done':
      return ctx.t('Completed');
    case 'cancel':
      return ctx.t('Cancelled');
    default:
      return ctx.t('Draft');
  }
}
