import { reply, route, z } from 'pergola';
import { SaleOrder } from '../models/sale-order.ts';
import { orderDocument } from '../services/documents/order-document.ts';
import { Documents } from '../services/documents/pdf.ts';

/** PDF document of an order, for users who may read the order with their own rights. */
export const orderPdf = route.http(
  '/sale/order/:order/pdf',
  {
    name: 'sale.order_pdf',
    method: 'GET',
    auth: 'user',
    params: { order: z.coerce.number().int().min(1).max(2_147_483_647) },
    rate: { calls: 120, seconds: 60 },
  },
  async ({ ctx, params: { order } }) => {
    const { name } = await ctx.model(SaleOrder).get(order, { select: { name: true } });
    const system = ctx.sudo(); // The caller may read the order, and therefore its document.
    const file = await ctx.get(Documents).pdf(await orderDocument(system, order));
    return reply.body(file, 'application/pdf', {
      'Content-Disposition': `inline; filename="${(name ?? `order-${order}`).replace(/[^\w.-]/g, '_')}.pdf"`,
      'Cache-Control': 'private, no-store',
    });
  },
);
