import type { Ctx, Minor } from 'pergola';

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
        title: isSeenTo ? ctx.t('We’re looking at your order') : ctx.t('Something in your order has changed'),
        look: 'waiting',
      },
      steps: reviewSteps(ctx, order, refunds),
    };
  }
  const ordered = done(isConfirmed(state) ? ctx.t('Your order is confirmed.') : ctx.t('We have your order.'));
  const then = isConfirmed(state)
    ? []
    : [later(ctx.t('We confirm your order as soon as the money is here, and write to you.'))];
  const open = amount(order.amount_open ?? 0);
  if (wait === 'transfer')
    return {
      head: { title: ctx.t('Waiting for your transfer'), look: 'waiting' },
      steps: [
        ordered,
        now(
          payable === null
            ? ctx.t('Transfer {amount} to the account below, with the reference.', { amount: open })
            : ctx.t('Transfer {amount} to the account below, with the reference, or pay it now in another way.', {
                amount: open,
              }),
        ),
        ...then,
      ],
    };
  if (wait === 'provider')
    return {
      head: { title: ctx.t('Your payment is being processed'), look: 'waiting' },
      steps: [ordered, now(ctx.t('This takes a moment. You can close this page.')), ...then],
    };
  if (payable !== null)
    return {
      head: { title: ctx.t('{amount} to pay', { amount: amount(payable) }), look: 'waiting' },
      steps: [ordered, now(ctx.t('Pay it below, in the way you choose.')), ...then, ...refunds],
    };
  if (!isConfirmed(state)) return { head: { title: ctx.t('Quotation'), look: 'waiting' }, steps: [] };
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
    return ctx.t('Cancelled, {amount} to be refunded', { amount: amount(-amount_open) });
  return amount_refunded ? ctx.t('Cancelled and refunded') : ctx.t('This order is cancelled');
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
      done(ctx.t('Your payment has been received.')),
      ...reasons,
      now(ctx.t('We’re looking at your order and will write to you.')),
      ...(amount_owed ? [later(ctx.t('{amount} to be refunded', { amount: amount(amount_owed) }))] : []),
      ...refunds,
    ];
  return [
    ...reasons,
    isConfirmed(state)
      ? now(ctx.t('We’re looking at your order and will write to you.'))
      : now(ctx.t('Please don’t pay it yet.')),
  ];
}

function settledTitle(
  ctx: Ctx,
  { amount_refunded, amount_paid, amount_total, refunding, toTransfer, amount }: OrderFacts,
): string {
  if (refunding + toTransfer > 0) return ctx.t('{amount} to be refunded', { amount: amount(refunding + toTransfer) });
  if (amount_refunded) return amount_refunded === amount_paid ? ctx.t('Refunded') : ctx.t('Refunded in part');
  return amount_total === 0 || !amount_paid ? ctx.t('Confirmed') : ctx.t('Paid. Thank you!');
}

function settledSteps(ctx: Ctx, { state, amount_paid, amount }: OrderFacts): Step[] {
  return [
    ...(amount_paid ? [done(ctx.t('You have paid {amount}.', { amount: amount(amount_paid) }))] : []),
    state === 'done'
      ? done(ctx.t('The order is completed.'))
      : now(ctx.t('We see to your order now, and write to you if there is a question.')),
  ];
}

/** Describes refunds that are done, in progress or to be transferred, and overpayments. */
function refundSteps(ctx: Ctx, { amount_refunded, amount_open, refunding, toTransfer, amount }: OrderFacts): Step[] {
  const waits = Math.max(0, -(amount_open ?? 0) - refunding - toTransfer);
  return [
    ...(amount_refunded
      ? [
          done(
            ctx.t('We have refunded {amount}. Your bank can take some days to show it.', {
              amount: amount(amount_refunded),
            }),
          ),
        ]
      : []),
    ...(refunding > 0 ? [now(ctx.t('{amount} is on its way back to you.', { amount: amount(refunding) }))] : []),
    ...(toTransfer > 0 ? [now(ctx.t('We’ll transfer {amount} to you.', { amount: amount(toTransfer) }))] : []),
    ...(waits > 0
      ? [now(ctx.t('We owe you {amount} and will contact you about the refund.', { amount: amount(waits) }))]
      : []),
  ];
}
