import { randomUUID } from 'node:crypto';
import { contentToken, paymentMethods } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';
import { holdView } from '../services/cart/hold.ts';
import { linesOf } from '../services/cart/lines.ts';
import { mergeTexts } from '../services/cart/merge-carts.ts';
import { isBeingPaid } from '../services/cart/session-cart.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { orderAddresses } from '../services/checkout/order-address.ts';
import { statusOf } from '../services/checkout/status.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { promisesOf } from '../services/promises.ts';
import { t } from '../texts.ts';
import { problemTexts } from './cart.ts';

/**
 * Values of the payment page of the caller's cart; `note` is the reason the customer is back, `changes` lists differences from what they
 * saw.
 */
export async function paymentValues(ctx: Ctx, order: Id, note: string, changes: readonly string[] = []) {
  const system = ctx.sudo(); // The cart is the caller's own.
  const totals = await totalsOf(system, order);
  const frozen = await isBeingPaid(ctx, order);
  const methods = await paymentMethods(system, order);
  const version = contentToken(await system.model('sale.order').content(order));
  return {
    steps: stepsOf(ctx, 3),
    order: { id: order },
    notes: [...mergeTexts(ctx, order), ...(await notesOf(ctx, order, note))],
    changes: changes.length > 0 ? changes : null,
    version,
    problems: frozen ? null : await problemTexts(ctx, order),
    frozen,
    free: totals.total === 0,
    terms: (await promisesOf(ctx))?.terms,
    holdUntil: frozen ? null : await holdView(ctx, order),
    payment:
      methods.length > 0
        ? {
            acquirers: methods.map(({ counted: statisticsName, ...method }) => ({
              ...method,
              told: `/stats/ecom/order_payment/${encodeURIComponent(statisticsName)}`,
            })),
            attempt: randomUUID(),
            action: '/shop/payment/transaction',
            version,
            back: '/shop/payment/validate',
          }
        : null,
    lines: await linesOf(ctx, order, totals.currency),
    totals,
    ...(await orderAddresses(ctx, order)),
  };
}

async function notesOf(ctx: Ctx, order: Id, note: string): Promise<string[]> {
  if (note === 'paying')
    return [t(ctx, 'You can’t change the order while a payment is in progress. Pay for it, or edit the cart first.')];
  if (note !== 'failed') return [];
  const { title } = await statusOf(ctx, order);
  return [`${title} ${t(ctx, 'You can try again, or choose another payment method.')}`];
}
