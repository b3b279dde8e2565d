import { Conflict } from 'pergola';

/** States in which a quotation can be changed, unless it is being paid. */
const openStates = ['draft', 'sent'] as const;

/** Options of fields the customer agrees to: read-only once a payment starts or the order is confirmed. */
export const agreed = {
  readonly: ['|', ['state', 'not in', openStates], ['transaction_ids.state', 'in', ['draft', 'pending']]],
} as const;

/** Colours of the states of orders and of their lines. */
export const stateColors = { sent: 'info', sale: 'success', done: 'success', cancel: 'danger' } as const;

export function notOpen(): Conflict {
  return new Conflict('This is no longer a quotation, so it can’t be changed.', { code: 'sale.not_open' });
}

export function beingPaid(): Conflict {
  return new Conflict('This order is being paid, so it can’t be changed.', { code: 'sale.being_paid' });
}
