import { orderMoney } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';
import { linesOf } from '../services/cart/lines.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { isGift } from '../services/checkout/gift.ts';
import { orderAddresses } from '../services/checkout/order-address.ts';
import type { StatusView } from '../services/checkout/status.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { orderUrl } from '../services/order-url.ts';

interface PlacedOrder {
  readonly id: Id;
  readonly name: string | null;
  readonly state: string;
  readonly blocked_reason: string | null;
}

/** Returns the values of the thank-you page for an order of the caller. */
export async function confirmationValues(ctx: Ctx, order: PlacedOrder, status: StatusView) {
  const totals = await totalsOf(ctx.sudo(), order.id);
  const isProcessing = status.state === 'pending' && status.validation === 'automatic';
  const isEmailed = sendsEmail(order, status);
  // While the provider is processing the payment, the status shows its progress.
  const money = isProcessing ? null : await orderMoney(ctx.sudo(), order.id);
  return {
    steps: stepsOf(ctx, 4, await isGift(ctx.sudo(), order.id)),
    order: { id: order.id, name: order.name ?? '', url: await orderUrl(ctx, order.id) },
    thanks: status.state !== 'error' && status.state !== 'cancel',
    // Bank details are shown with the next steps instead.
    status: money ? { ...status, bank: null, waiting: [] } : status,
    written: isEmailed,
    mail: isEmailed || status.state === 'pending',
    money,
    lines: await linesOf(ctx, order.id, totals.currency),
    totals,
    ...(await orderAddresses(ctx, order.id)),
  };
}

/**
 * Whether an email about the order is sent, or held if no mail server is configured: for confirmed orders, bank transfers, and orders to be
 * reviewed.
 */
function sendsEmail(order: PlacedOrder, { state, validation }: StatusView): boolean {
  if (order.state === 'sale' || order.state === 'done' || order.blocked_reason !== null) return true;
  return state === 'pending' && validation === 'manual';
}
