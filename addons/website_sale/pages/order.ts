import { orderMoney, SaleOrder } from '@pergola/sale';
import type { Ctx, Id, Ids } from 'pergola';
import { linesOf } from '../services/cart/lines.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { orderAddresses } from '../services/checkout/order-address.ts';
import { stateText } from './orders.ts';

const looks: Readonly<Record<string, string>> = { sale: 'success', done: 'success', cancel: 'secondary', sent: 'info' };

interface SeenOrder {
  readonly id: Id;
  readonly name: string | null;
  readonly date_order: Date;
  readonly state: string;
  readonly partner_id: Id | null;
  readonly transaction_ids: Ids;
}

/** Values of the order page, for holders of its link; `pdf` is the URL of its document. */
export async function orderValues(ctx: Ctx, order: SeenOrder, pdf: string) {
  const system = ctx.sudo(); // The token grants the right to see this order.
  const totals = await totalsOf(system, order.id);
  return {
    order: {
      id: order.id,
      name: order.name ?? '',
      date: order.date_order,
      state: stateText(ctx, order.state, order.transaction_ids.length > 0),
      look: looks[order.state] ?? 'secondary',
    },
    mine: ctx.user.id !== null && ctx.user.partnerId !== null && order.partner_id === ctx.user.partnerId,
    pdf,
    money: await orderMoney(system, order.id),
    accept: await acceptPath(system, order),
    lines: await linesOf(ctx, order.id, totals.currency),
    totals,
    ...(await orderAddresses(ctx, order.id)),
  };
}

/** Returns the page where a quotation is accepted, or null if the order isn't waiting for acceptance. */
async function acceptPath(system: Ctx, { id, state, transaction_ids }: SeenOrder): Promise<string | null> {
  if (state !== 'sent' || transaction_ids.length > 0) return null;
  const path = (await system.model(SaleOrder).threadPaths([id])).get(id) ?? '';
  return path.startsWith('/shop/order/') ? null : path || null;
}
