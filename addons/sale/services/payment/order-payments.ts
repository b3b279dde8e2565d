import type { Minor } from '#core';

/** What money of an order came and went. */
export interface OrderPayments {
  readonly payment_state: 'none' | 'pending' | 'part' | 'paid' | 'over' | 'part_refunded' | 'refunded';
  readonly amount_paid: Minor;
  readonly amount_refunded: Minor;
  readonly amount_open: Minor;
  readonly amount_over: Minor;
}

interface Move {
  readonly state: string;
  readonly amount: Minor;
}

interface OrderMoney {
  readonly total: Minor;
  readonly isCancelled: boolean;
  /** All of the order's own currency. */
  readonly payments: readonly Move[];
  readonly refunds: readonly Move[];
}

/**
 * What was paid of an order, given back, and is still open. What was paid in full and then refunded in part is not asked for again: the shop gave it back.
 * Before that a refund leaves the customer owing it. Of a cancelled order nothing is owed, so whatever is there is too much.
 */
export function orderPayments({ total, isCancelled, payments, refunds }: OrderMoney): OrderPayments {
  const paid = sumOfDone(payments);
  const refunded = sumOfDone(refunds);
  const rest = (isCancelled ? 0 : total) - (paid - refunded);
  const open = paid >= total ? Math.min(0, rest) : rest;
  return {
    payment_state: stateOf({ total, paid, refunded, payments }),
    amount_paid: paid,
    amount_refunded: refunded,
    amount_open: open,
    amount_over: Math.max(0, -open),
  };
}

function sumOfDone(moves: readonly Move[]): Minor {
  return moves.reduce((sum, { state, amount }) => (state === 'done' ? sum + amount : sum), 0);
}

function stateOf({
  total,
  paid,
  refunded,
  payments,
}: Pick<OrderMoney, 'total' | 'payments'> & Record<'paid' | 'refunded', Minor>): OrderPayments['payment_state'] {
  const kept = paid - refunded;
  if (refunded > 0 && kept <= 0) return 'refunded';
  if (kept > total) return 'over';
  if (paid < total && payments.some(({ state }) => state === 'pending')) return 'pending';
  if (!payments.some(({ state }) => state === 'done')) return 'none';
  if (paid < total) return 'part';
  return kept < total ? 'part_refunded' : 'paid';
}
