import { type Ctx, type Id, signText } from '#core';
import { isPrivateNetwork } from '#core/http';
import { SaleHold } from '../../models/sale-hold.ts';
import { networkHolds } from '../../settings.ts';

/** Stands for the network a request comes from, without telling which it is; null where nobody asked. */
export function networkKey(ctx: Ctx): string | null {
  return ctx.network === null ? null : signText(ctx.config.sessionSecret, 'sale.network', ctx.network);
}

/** The same for a cart that is begun; null where the network may stand for all visitors of the site. */
export function cartNetwork(ctx: Ctx): string | null {
  return ctx.network === null || isPrivateNetwork(ctx.network) ? null : networkKey(ctx);
}

/** Whether the network of an order keeps less than it may of everything that other orders of it in these states have not paid. Needs rights lifted. */
export async function hasRoom(
  ctx: Ctx,
  { id, network }: { readonly id: Id; readonly network: string | null },
  states: readonly ('draft' | 'sent')[],
): Promise<boolean> {
  if (network === null) return true;
  const groups = await ctx.model(SaleHold).group(
    [
      ['until', '>', ctx.now()],
      ['order_id', '!=', id],
      ['order_id.network', '=', network],
      ['order_id.state', 'in', states],
    ],
    { by: ['resource'], aggregates: ['quantity:sum'] },
  );
  // A ticket holds a seat of its kind and one of its event, and is one thing all the same.
  const kept = Math.max(0, ...groups.map((group) => Number(group['quantity:sum'])));
  return kept < (await ctx.settings.get(networkHolds));
}
