import type { Ctx } from 'pergola';
import { t } from '../../texts.ts';
import type { BankDetails } from './transfers.ts';

/** Payment status of an order, for its customer. */
export interface PaymentStatus {
  readonly state: 'draft' | 'pending' | 'done' | 'error' | 'cancel';
  /** Who confirms the payment; null if there is nothing to pay. */
  readonly validation: 'manual' | 'automatic' | null;
  /** A plain text sentence in the context's language. */
  readonly message: string;
  /** Message of the method after paying, as sanitized HTML. */
  readonly postMessage: string | null;
  /** Bank details of a transfer; null for other methods. */
  readonly bank: BankDetails | null;
  /** Deadline of a transfer and the customer's next steps, in sentences; empty for other methods. */
  readonly waiting: readonly string[];
}

/** States the status of a payment. @param blocked whether staff must review the order */
export function statusSentence(
  ctx: Ctx,
  state: PaymentStatus['state'],
  validation: 'manual' | 'automatic',
  blocked: boolean,
): string {
  if (blocked && state === 'done')
    return t(
      ctx,
      'Your payment has been received. We need to review your order before we confirm it, and will email you.',
    );
  if (blocked) return t(ctx, 'Something in your order has changed. Please don’t pay yet.');
  switch (state) {
    case 'done':
      return t(ctx, 'Your payment has been received.');
    case 'pending':
      return validation === 'manual'
        ? t(ctx, 'We’ve received your order. It’s awaiting payment.')
        : t(ctx, 'Your payment is being processed.');
    case 'error':
      return t(ctx, 'The payment failed. You haven’t been charged.');
    case 'cancel':
      return t(ctx, 'The payment has been cancelled.');
    case 'draft':
      return t(ctx, 'The payment isn’t complete yet.');
  }
}
