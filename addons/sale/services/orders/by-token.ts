import { type Ctx, type Id, NotFound, timingSafeEqualText } from 'pergola';
import { SaleOrder } from '../../models/sale-order.ts';

/**
 * A context in which an order may be read and paid for its customer, once the token of its address has shown that it is theirs: 128 bit, bound to the order.
 * All that follows is limited to this order by the caller. A cart has an address once its payment was begun, so that whoever comes back from paying finds
 * the order they tried to pay.
 *
 * @throws NotFound, the same for a wrong token and for an order that is not there
 */
export async function orderByToken(ctx: Ctx, id: Id, token: string): Promise<Ctx> {
  const system = ctx.sudo(); // The token is compared before anything of the order is told.
  const order = await system
    .model(SaleOrder)
    .first([['id', '=', id], '|', ['is_cart', '=', false], ['transaction_ids', '!=', null]], {
      select: { access_token: true },
    });
  const isRight = timingSafeEqualText(order?.access_token ?? 'no order, and no token is this', token);
  if (!order || !isRight) throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
  return system;
}
