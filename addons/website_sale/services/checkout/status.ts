import type { Ctx, Id } from 'pergola';
import { type PaymentStatus, Payments } from '#addons/sale';

/** Payment status of an order, as shown on pages. */
export interface StatusView {
  readonly state: string;
  readonly validation: string | null;
  /** Bootstrap's word for its colour. */
  readonly look: string;
  readonly title: string;
  /** HTML of the payment method, sanitised again where it is shown. */
  readonly message: string | null;
  /** Until when it waits for a transfer, in sentences. */
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

/** The payment of an order the caller was found to own. */
export async function statusOf(ctx: Ctx, order: Id): Promise<StatusView> {
  const { state, validation, message, postMessage, bank, waiting } = await ctx.sudo().get(Payments).status(order);
  return { state, validation, look: looks[state] ?? 'info', title: message, message: postMessage, bank, waiting };
}
