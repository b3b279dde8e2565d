import { type Ctx, job, type RawDomain, z } from 'pergola';

/** Reviews orders that await payment after one of their items changed; see `SaleOrder.review`. */
export const reviewOrders = job('sale.review_orders', {
  mails: true,
  input: z.object({ orders: z.array(z.number().int().positive()) }),
  run: async ({ input, write, signal }) => {
    for (const order of input.orders) {
      signal.throwIfAborted();
      await write((writing) => writing.model('sale.order').review([order]));
    }
  },
});

/**
 * Call this when an ordered item becomes invalid, or valid again: enqueues a review of all matching orders that await payment, after the
 * commit. Doesn't review in the same transaction, because payments lock the order before its items.
 */
export async function reviewOpenOrders(ctx: Ctx, domain: RawDomain): Promise<void> {
  const orders = await ctx
    .sudo() // Users who may change a product or event need not see who ordered it.
    .model('sale.order')
    .search([['state', '=', 'sent'], ['is_cart', '=', false], ...domain] as RawDomain as never); // Extensions use their own fields in the domain.
  if (orders.length > 0) await ctx.jobs.enqueue(reviewOrders, { orders: [...orders] });
}
