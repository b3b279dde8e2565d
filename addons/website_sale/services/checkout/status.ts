import { type PaymentStatus, Payments } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';

/** Payment status of an order, as shown on pages. */
export interface StatusView {
  readonly state: string;
  readonly validation: string | null;
  /** Bootstrap colour name. */
  readonly look: string;
  readonly title: string;
  /** HTML of the payment method; sanitized again on display. */
  readonly message: string | null;
  /** Deadline of the transfer, in sentences. */
  readonly waiting: readonly string[];
  readonly bank: PaymentStatus['bank'];
}

const looks: Readonly<Record<string, string>> = {
  done: 'success',
  pending: 'info',
  error: 'danger',
  cancel: 'warning',
  draft: 'info',
};

/** Returns the payment status of an order that was verified to be the caller's. */
export async function statusOf(ctx: Ctx, order: Id): Promise<StatusView> {
  const { state, validation, message, postMessage, bank, waiting } = await ctx.sudo().get(Payments).status(order);
  return { state, validation, look: looks[state] ?? 'info', title: message, message: postMessage, bank, waiting };
}
