import { type Ctx, type Id, NotFound, timingSafeEqualText } from 'pergola';
import { SaleOrder } from '../../models/sale-order.ts';

/**
 * Returns a context for reading and paying an order as its customer, after checking the 128-bit token of its URL. The caller must limit all
 * further access to this order. Carts get a URL when their payment starts, so that customers who return from paying find the order they
 * tried to pay.
 *
 * @throws NotFound for a wrong token as well as for an unknown order
 */
export async function orderByToken(ctx: Ctx, id: Id, token: string): Promise<Ctx> {
  const system = ctx.sudo(); // Compares the token before revealing anything about the order.
  const order = await system
    .model(SaleOrder)
    .first([['id', '=', id], '|', ['is_cart', '=', false], ['transaction_ids', '!=', null]], {
      select: { access_token: true },
    });
  const isRight = timingSafeEqualText(order?.access_token ?? 'no order, and no token is this', token);
  if (!order || !isRight) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
  return system;
}
