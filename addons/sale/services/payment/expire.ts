import type { Ctx, Id } from '#core';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { paymentMinutes, pendingDays } from '../../settings.ts';
import { cancelOverdue } from './advance.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A payment whose time is over. */
export interface Overdue {
  readonly id: Id;
  readonly state: 'draft' | 'pending';
  readonly order: Id | null;
}

/**
 * Payments that nobody finished by a moment: those only begun, and transfers that did not come. Money that a provider is still working on is none of
 * them: it may come at any time.
 */
export async function overduePayments(ctx: Ctx, now: Date): Promise<Overdue[]> {
  const waited = new Date(now.getTime() - (await ctx.settings.get(pendingDays)) * DAY);
  const begun = new Date(now.getTime() - (await ctx.settings.get(paymentMinutes)) * MINUTE);
  const rows = await ctx
    .model(PaymentTransaction)
    .find(
      [
        '|',
        '&',
        '&',
        ['state', '=', 'pending'],
        ['acquirer_id.validation', '=', 'manual'],
        '|',
        ['sale_order_id.wait_until', '<', now],
        '&',
        ['sale_order_id.wait_until', '=', null],
        ['write_date', '<', waited],
        '&',
        ['state', '=', 'draft'],
        ['write_date', '<', begun],
      ],
      { select: { state: true, sale_order_id: true }, order: 'id', limit: 200 },
    );
  return rows.flatMap(({ id, state, sale_order_id }) =>
    state === 'draft' || state === 'pending' ? [{ id, state, order: sale_order_id }] : [],
  );
}

/** Ends one of them: an order whose money did not come is cancelled with a mail, a payment only begun is given up. */
export async function endOverdue(ctx: Ctx, { id, state, order }: Overdue): Promise<void> {
  if (state === 'pending' && order !== null) await cancelOverdue(ctx, order);
  else await ctx.model(PaymentTransaction).advance([id], { state: 'cancel' });
}
