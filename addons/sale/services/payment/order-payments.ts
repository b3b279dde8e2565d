import type { Minor } from 'pergola';

/** Amounts that an order received and refunded, in minor units of its currency. */
export interface OrderPayments {
  readonly payment_state: 'none' | 'pending' | 'part' | 'paid' | 'over' | 'refund_due' | 'part_refunded' | 'refunded';
  readonly amount_paid: Minor;
  readonly amount_refunded: Minor;
  readonly amount_open: Minor;
  /** Amount the shop has to refund: manual refunds to transfer, and the remaining payments of a cancelled order. */
  readonly amount_refund_due: Minor;
  /** Amount paid beyond the total, without due refunds. */
  readonly amount_over: Minor;
}

interface Move {
  readonly state: string;
  readonly amount: Minor;
}

interface OrderMoney {
  readonly total: Minor;
  readonly isCancelled: boolean;
  /** Payments in the order's currency. */
  readonly payments: readonly Move[];
  readonly refunds: readonly Move[];
}

/**
 * Sums up the payments of an order. An order that was fully paid and partly refunded isn't due again, since the shop refunded it
 * deliberately. Before that, a refund increases the amount due. A cancelled order has no amount due, so all its payments must be refunded.
 */
export function orderPayments({ total, isCancelled, payments, refunds }: OrderMoney): OrderPayments {
  const paid = sumIn(payments, 'done');
  const refunded = sumIn(refunds, 'done');
  const netPaid = paid - refunded;
  const unpaid = (isCancelled ? 0 : total) - netPaid;
  const open = paid >= total ? Math.min(0, unpaid) : unpaid;
  const refundDue = Math.max(0, isCancelled ? netPaid : Math.min(netPaid, sumIn(refunds, 'to_transfer')));
  return {
    payment_state: stateOf({ total, paid, refunded, refundDue, payments }),
    amount_paid: paid,
    amount_refunded: refunded,
    amount_open: open,
    amount_refund_due: refundDue,
    amount_over: Math.max(0, -open - refundDue),
  };
}

function sumIn(moves: readonly Move[], state: string): Minor {
  return moves.reduce((sum, move) => (move.state === state ? sum + move.amount : sum), 0);
}

function stateOf({
  total,
  paid,
  refunded,
  refundDue,
  payments,
}: Pick<OrderMoney, 'total' | 'payments'> &
  Record<'paid' | 'refunded' | 'refundDue', Minor>): OrderPayments['payment_state'] {
  const netPaid = paid - refunded;
  if (refundDue > 0) return 'refund_due';
  if (refunded > 0 && netPaid <= 0) return 'refunded';
  if (netPaid > total) return 'over';
  if (paid < total && payments.some(({ state }) => state === 'pending')) return 'pending';
  if (!payments.some(({ state }) => state === 'done')) return 'none';
  if (paid < total) return 'part';
  return netPaid < total ? 'part_refunded' : 'paid';
}
