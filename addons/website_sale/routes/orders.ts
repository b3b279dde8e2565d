import { Documents, orderByToken, orderDocument, SaleOrder } from '@pergola/sale';
import { type Ctx, type Id, redirect, reply, route, z } from 'pergola';
import { orderValues } from '../pages/order.ts';
import { ordersValues } from '../pages/orders.ts';

/** List of the signed-in user's orders. */
export const orders = route.page(
  '/my/orders',
  {
    name: 'website_sale.orders',
    auth: 'user',
    query: z.object({ page: z.number().int().min(1).catch(1).default(1) }),
    cache: false,
  },
  async ({ ctx, query, render }) => {
    return render('website_sale.orders', await ordersValues(ctx, query.page));
  },
);

/** Former URL of the list; emails and bookmarks still use it. */
export const formerOrders = route.page(
  '/shop/orders',
  { name: 'website_sale.former_orders', cache: false },
  async ({ url }) => redirect(url('/my/orders'), 301),
);

const params = { order: z.coerce.number().int().min(1).max(2_147_483_647), token: z.string().min(1).max(100) };

/** Order page, for holders of its link. */
export const orderPage = route.page(
  '/shop/order/:order/:token',
  { name: 'website_sale.order', params, cache: false, rate: { calls: 120, seconds: 60 } },
  async ({ ctx, params: { order: id, token }, render }) => {
    const order = await orderOf(ctx, id, token);
    return render('website_sale.order', await orderValues(ctx, order, `/shop/order/${id}/${token}/pdf`));
  },
);

/** The order as a PDF document. */
export const orderPdf = route.http(
  '/shop/order/:order/:token/pdf',
  { name: 'website_sale.order_pdf', method: 'GET', params, multilang: true, rate: { calls: 30, seconds: 60 } },
  async ({ ctx, params: { order: id, token } }) => {
    const order = await orderOf(ctx, id, token);
    const system = ctx.sudo(); // The token grants the right to see this order.
    const file = await ctx.get(Documents).pdf(await orderDocument(system, id));
    const name = `${order.name ?? 'order'}.pdf`.replace(/[^\w.-]/g, '_');
    return reply.body(file, 'application/pdf', {
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
    });
  },
);

/** @throws NotFound for a wrong token as well as for an unknown order */
async function orderOf(ctx: Ctx, id: Id, token: string) {
  const system = await orderByToken(ctx, id, token);
  return system.model(SaleOrder).get(id, {
    select: { name: true, date_order: true, state: true, partner_id: true, transaction_ids: true },
  });
}
