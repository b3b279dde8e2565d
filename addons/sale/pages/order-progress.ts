import type { Ctx, Minor } from 'pergola';
import { t } from '../texts.ts';

/** Status of an order for its customer. */
export interface OrderFacts {
  readonly state: string;
  readonly blocked_reason: string | null;
  readonly amount_total: Minor | null;
  readonly amount_paid: Minor | null;
  readonly amount_refunded: Minor | null;
  readonly amount_open: Minor | null;
  /** Amount the customer can pay now, or null. */
  readonly payable: Minor | null;
  /** Kind of pending payment. */
  readonly wait: 'transfer' | 'provider' | null;
  /** Amount of refunds that a provider is processing. */
  readonly refunding: Minor;
  /** Amount of refunds that the shop must still transfer by hand. */
  readonly toTransfer: Minor;
  /** Amount the shop owes for items that are no longer available, until it is refunded. */
  readonly amount_owed: Minor | null;
  /** Why the order can't proceed; empty if it can. */
  readonly problems: readonly string[];
  readonly amount: (minor: Minor) => string;
}

/** One of the consecutive steps of an order. */
interface Step {
  readonly text: string;
  readonly when: 'done' | 'now' | 'later';
}

/** Header of an order's page. */
export interface OrderProgress {
  readonly head: { readonly title: string; readonly look: 'good' | 'waiting' | 'over' };
  readonly steps: readonly Step[];
}

/** Describes the status of an order in a sentence, and the next steps. */
export function orderProgress(ctx: Ctx, order: OrderFacts): OrderProgress {
  const { state, blocked_reason: blocked, wait, payable, amount } = order;
  const amount_paid = order.amount_paid ?? 0;
  const refunds = refundSteps(ctx, order);
  if (state === 'cancel') return { head: { title: cancelledTitle(ctx, order), look: 'over' }, steps: refunds };
  if (blocked !== null || (order.problems.length > 0 && !isConfirmed(state))) {
    const isSeenTo = blocked !== null || amount_paid !== 0;
    return {
      head: {
        title: isSeenTo ? t(ctx, 'We’re reviewing your order') : t(ctx, 'Something in your order has changed'),
        look: 'waiting',
      },
      steps: reviewSteps(ctx, order, refunds),
    };
  }
  const ordered = done(isConfirmed(state) ? t(ctx, 'Your order is confirmed.') : t(ctx, 'We’ve received your order.'));
  const then = isConfirmed(state)
    ? []
    : [later(t(ctx, 'We’ll email you to confirm it as soon as your payment arrives.'))];
  const open = amount(order.amount_open ?? 0);
  if (wait === 'transfer')
    return {
      head: { title: t(ctx, 'Awaiting your transfer'), look: 'waiting' },
      steps: [
        ordered,
        now(
          payable === null
            ? t(ctx, 'Transfer {amount} to the account below and include the reference.', { amount: open })
            : t(ctx, 'Transfer {amount} to the account below and include the reference, or pay another way now.', {
                amount: open,
              }),
        ),
        ...then,
      ],
    };
  if (wait === 'provider')
    return {
      head: { title: t(ctx, 'Your payment is being processed'), look: 'waiting' },
      steps: [ordered, now(t(ctx, 'This takes a moment. You can close this page.')), ...then],
    };
  if (payable !== null)
    return {
      head: { title: t(ctx, '{amount} to pay', { amount: amount(payable) }), look: 'waiting' },
      steps: [ordered, now(t(ctx, 'Choose a payment method below.')), ...then, ...refunds],
    };
  if (!isConfirmed(state)) return { head: { title: t(ctx, 'Quotation'), look: 'waiting' }, steps: [] };
  return {
    head: { title: settledTitle(ctx, order), look: 'good' },
    steps: [ordered, ...settledSteps(ctx, order), ...refunds],
  };
}

const done = (text: string): Step => ({ text, when: 'done' });
const now = (text: string): Step => ({ text, when: 'now' });
const later = (text: string): Step => ({ text, when: 'later' });

const isConfirmed = (state: string): boolean => state === 'sale' || state === 'done';

function cancelledTitle(ctx: Ctx, { amount_refunded, amount_open, amount }: OrderFacts): string {
  if (amount_open !== null && amount_open < 0)
    return t(ctx, 'Cancelled, {amount} to be refunded', { amount: amount(-amount_open) });
  return amount_refunded ? t(ctx, 'Cancelled and refunded') : t(ctx, 'This order is cancelled');
}

/** Steps of an order that needs review, before and after it was paid. */
function reviewSteps(
  ctx: Ctx,
  { state, amount_paid, amount_owed, problems, amount }: OrderFacts,
  refunds: readonly Step[],
): Step[] {
  const reasons = problems.map(done);
  if (amount_paid)
    return [
      done(t(ctx, 'Your payment has been received.')),
      ...reasons,
      now(t(ctx, 'We’re reviewing your order and will email you.')),
      ...(amount_owed ? [later(t(ctx, '{amount} to be refunded', { amount: amount(amount_owed) }))] : []),
      ...refunds,
    ];
  return [
    ...reasons,
    isConfirmed(state)
      ? now(t(ctx, 'We’re reviewing your order and will email you.'))
      : now(t(ctx, 'Please don’t pay yet.')),
  ];
}

function settledTitle(
  ctx: Ctx,
  { amount_refunded, amount_paid, amount_total, refunding, toTransfer, amount }: OrderFacts,
): string {
  if (refunding + toTransfer > 0) return t(ctx, '{amount} to be refunded', { amount: amount(refunding + toTransfer) });
  if (amount_refunded) return amount_refunded === amount_paid ? t(ctx, 'Refunded') : t(ctx, 'Partially refunded');
  return amount_total === 0 || !amount_paid ? t(ctx, 'Confirmed') : t(ctx, 'Paid. Thank you!');
}

function settledSteps(ctx: Ctx, { state, amount_paid, amount }: OrderFacts): Step[] {
  return [
    ...(amount_paid ? [done(t(ctx, 'You have paid {amount}.', { amount: amount(amount_paid) }))] : []),
    state === 'done'
      ? done(t(ctx, 'Your order is complete.'))
      : now(t(ctx, 'We’re preparing your order. We’ll email you if we have a question.')),
  ];
}

/** Describes refunds that are done, in progress or to be transferred, and overpayments. */
function refundSteps(ctx: Ctx, { amount_refunded, amount_open, refunding, toTransfer, amount }: OrderFacts): Step[] {
  const waits = Math.max(0, -(amount_open ?? 0) - refunding - toTransfer);
  return [
    ...(amount_refunded
      ? [
          done(
            t(ctx, 'We’ve refunded {amount}. It may take a few days to reach your account.', {
              amount: amount(amount_refunded),
            }),
          ),
        ]
      : []),
    ...(refunding > 0 ? [now(t(ctx, 'Your refund of {amount} is on its way.', { amount: amount(refunding) }))] : []),
    ...(toTransfer > 0 ? [now(t(ctx, 'We’ll transfer {amount} to you.', { amount: amount(toTransfer) }))] : []),
    ...(waits > 0
      ? [now(t(ctx, 'We owe you {amount} and will contact you about the refund.', { amount: amount(waits) }))]
      : []),
  ];
}
