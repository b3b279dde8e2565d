import { SaleOrder } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';

/** Returns the URL of an order with its token; for verified owners of the order, and emails to them. */
export async function orderUrl(ctx: Ctx, id: Id): Promise<string> {
  return (await orderUrls(ctx, [id])).get(id) ?? '/my/orders';
}

/** The same for several orders, in one query. */
export async function orderUrls(ctx: Ctx, ids: readonly Id[]): Promise<Map<Id, string>> {
  const rows = await ctx
    .sudo() // Tokens are secret; they only appear in links for the owners of the orders.
    .model(SaleOrder)
    .read(ids, { select: { access_token: true } });
  return new Map(rows.map(({ id, access_token }) => [id, `/shop/order/${id}/${access_token}`]));
}
