import { randomUUID } from 'node:crypto';
import { Payments, SaleOrder, Transfers } from '#addons/sale';
import { type Ctx, type Id, sanitizeHtml } from '#core';
import { pictureUrl } from '#core/pages';
import { holdView } from '../services/cart/hold.ts';
import { linesOf } from '../services/cart/lines.ts';
import { isBeingPaid } from '../services/cart/session-cart.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { orderAddresses } from '../services/checkout/order-address.ts';
import { statusOf } from '../services/checkout/status.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { problemTexts } from './cart.ts';

/** The values of the page where the caller's cart is paid; `note` says why they are here again. */
export async function paymentValues(ctx: Ctx, order: Id, note: string) {
  const system = ctx.sudo(); // The cart is the caller's own.
  const { payment_acquirer_id: tried } = await system
    .model(SaleOrder)
    .get(order, { select: { payment_acquirer_id: true } });
  const totals = await totalsOf(system, order);
  const frozen = await isBeingPaid(ctx, order);
  // Counted by one name, whatever language customers read.
  const inEnglish = await system.as({ lang: 'en_US' }).get(Payments).offered();
  const counted = new Map(inEnglish.map(({ id, name }) => [id, name]));
  const offered = await system.get(Payments).offered();
  // Whoever was refused begins with the way they chose.
  const chosen = offered.find(({ id }) => id === tried) ?? offered[0];
  const keeping = await system.get(Transfers).choiceText(order);
  const methods = offered.map(({ id, name, provider, validation, pre_msg, image, test }) => ({
    id,
    name,
    counted: counted.get(id) ?? name,
    test,
    message: sanitizeHtml(pre_msg ?? '', 'page'),
    keeping: validation === 'manual' ? keeping : '',
    chosen: id === chosen?.id,
    logo: pictureUrl('payment.acquirer', id, 'image', image, 96) ?? logoOf(provider),
  }));
  return {
    steps: stepsOf(ctx, 3),
    order: { id: order },
    notes: await notesOf(ctx, order, note),
    problems: frozen ? null : await problemTexts(ctx, order),
    frozen,
    free: totals.total === 0,
    holdUntil: frozen ? null : await holdView(ctx, order),
    acquirers: methods.length > 0 ? methods : null,
    key: randomUUID(),
    lines: await linesOf(ctx, order, totals.currency),
    totals,
    ...(await orderAddresses(ctx, order)),
  };
}

async function notesOf(ctx: Ctx, order: Id, note: string): Promise<string[]> {
  if (note === 'paying')
    return [ctx.t('A payment was begun, so the order stays as it is. Pay it, or change the cart first.')];
  if (note !== 'failed') return [];
  const { title } = await statusOf(ctx, order);
  return [`${title} ${ctx.t('You can try again, or choose another way to pay.')}`];
}

function logoOf(provider: string): string {
  return provider === 'transfer'
    ? '/website_sale/static/payment/transfer.svg'
    : '/website_sale/static/payment/card.svg';
}
