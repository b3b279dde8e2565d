import { User } from '#addons/base';
import { type Ctx, type Id, signText, verifyText } from '#core';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { paymentUntil, pendingUntil, transferUntil } from '../order/until.ts';
import { extendHolds, hold } from '../stock/holds.ts';
import { hasRoom } from '../stock/network.ts';

/*
 * Money that people send takes days, and whoever says that it comes need not send it. So what is limited is kept for hours, and only for an address that
 * was shown to be the customer's; until then, and for a network that keeps a lot unpaid already, as long as for any payment that was begun.
 */

const select = {
  invoice_email: true,
  confirmed_email: true,
  partner_id: true,
  network: true,
  order_line: true,
} as const;

/**
 * Keeps what an order needs while its transfer is on its way, and says on the order until when it waits. What it held too long ago is held again if it is
 * still there. Needs the order's lock, and rights lifted.
 */
export async function keepForTransfer(ctx: Ctx, order: Id): Promise<void> {
  const row = await ctx.model(SaleOrder).get(order, { select });
  const needs = await ctx.model(SaleOrderLine).needs(row.order_line);
  const until = needs.length === 0 ? await pendingUntil(ctx) : await limitedUntil(ctx, row);
  await ctx.model(SaleOrder).write(order, { wait_until: until });
  const short = await hold(ctx, order, needs, until);
  // The rest is decided when the money is there.
  if (short.length > 0) await extendHolds(ctx, order, until);
}

/** The customer has shown that the order's address is theirs: what it needs is kept for as long as a transfer takes. Needs rights lifted. */
export async function confirmAddress(ctx: Ctx, order: Id): Promise<void> {
  await ctx.lock(SaleOrder, [order]);
  const row = await ctx.model(SaleOrder).get(order, { select: { ...select, state: true, payment_state: true } });
  if (row.state !== 'sent' || row.payment_state !== 'pending' || (await isConfirmed(ctx, row))) return;
  await ctx.model(SaleOrder).write(order, { confirmed_email: row.invoice_email });
  await keepForTransfer(ctx, order);
}

/** Whether the order waits for its customer to confirm the address before it is kept any longer. Needs rights lifted. */
export async function waitsForAddress(ctx: Ctx, order: Id): Promise<boolean> {
  const row = await ctx.model(SaleOrder).get(order, { select });
  if (await isConfirmed(ctx, row)) return false;
  return (await ctx.model(SaleOrderLine).needs(row.order_line)).length > 0;
}

type OrderRow = {
  readonly id: Id;
  readonly invoice_email: string | null;
  readonly confirmed_email: string | null;
  readonly partner_id: Id | null;
  readonly network: string | null;
};

async function limitedUntil(ctx: Ctx, order: OrderRow): Promise<Date> {
  const isTrusted = (await isConfirmed(ctx, order)) && (await hasRoom(ctx, order, ['sent']));
  return isTrusted ? transferUntil(ctx) : paymentUntil(ctx);
}

/** By the link of the mail, or because it is the address the customer's own account was confirmed with. */
async function isConfirmed(
  ctx: Ctx,
  { invoice_email: email, confirmed_email, partner_id }: OrderRow,
): Promise<boolean> {
  if (!email) return false;
  if (confirmed_email === email) return true;
  if (partner_id === null) return false;
  const own = await ctx.model(User).find(
    [
      ['partner_id', '=', partner_id],
      ['email_verified', '=', true],
    ],
    { select: { email: true } },
  );
  return own.some((user) => user.email?.toLowerCase() === email.toLowerCase());
}

const purpose = 'sale.confirm_address';

/** Where the customer of an order confirms the address; only its mail leads there. */
export function addressPath(ctx: Ctx, order: Id, email: string): string {
  return `/payment/address/${order}/${signText(ctx.config.sessionSecret, purpose, `${order}:${email}`)}`;
}

/** Whether a token was made for this order with this address. */
export function isAddressToken(ctx: Ctx, order: Id, email: string, token: unknown): boolean {
  return verifyText(ctx.config.sessionSecret, purpose, `${order}:${email}`, token);
}
