import { randomUUID } from 'node:crypto';
import { app, type Ctx, type Id, type Minor } from 'pergola';
import { SaleOrder } from '../models/sale-order.ts';
import { type MoneyTexts, moneyTexts } from '../services/formats.ts';
import { contentToken } from '../services/orders/order-content.ts';
import { holdsForMoney } from '../services/orders/problems.ts';
import { epcText } from '../services/payment/bank-account.ts';
import { paymentMethods } from '../services/payment/methods.ts';
import { type MoneyMove, moneyHistory } from '../services/payment/money-history.ts';
import { Payments } from '../services/payment/payments.ts';
import type { BankDetails } from '../services/payment/transfers.ts';
import { t } from '../texts.ts';
import { type OrderFacts, orderProgress } from './order-progress.ts';

/**
 * Payment values for the pages of an order: for the partials `sale.order_progress` (status, next steps, bank details) and
 * `sale.order_moves` (amounts paid, refunded and due). Needs elevated rights, and a caller with the order's link.
 */
export async function orderMoney(system: Ctx, id: Id) {
  const order = await readOrder(system, id);
  const money = await moneyTexts(system, order.currency_id);
  const moves = await moneyHistory(system, id);
  const waiting = moves.findLast(({ state, amount }) => state === 'pending' && amount > 0);
  const status = waiting ? await system.get(Payments).status(id) : null;
  const payable = await system.get(Payments).payable(id);
  const methods = payable === null ? [] : await paymentMethods(system, id, { atOnce: waiting !== undefined });
  // Customers with a pending transfer may pay right away instead, if a method is available.
  const open = waiting && methods.length === 0 ? null : payable;
  const problems = (await system.model(SaleOrder).problems(id)).filter(
    (problem) => order.is_cart === true || holdsForMoney(problem),
  );
  const isHeld = order.blocked_reason !== null || problems.length > 0;
  const newest = moves.findLast(({ amount }) => amount > 0);
  const facts: OrderFacts = {
    ...order,
    payable: open,
    wait: waiting ? (status?.bank ? 'transfer' : 'provider') : null,
    refunding: refundsIn(moves, order.currency_id, ['draft', 'pending']),
    toTransfer: refundsIn(moves, order.currency_id, ['to_transfer']),
    problems: [...new Set(problems.map(({ message }) => message))],
    amount: (minor) => money.amount(minor),
  };
  const path = `/payment/order/${id}/${order.access_token}`;
  const version = contentToken(await system.model('sale.order').content(id));
  return {
    ...orderProgress(system, facts),
    failed:
      open !== null && newest?.state === 'error' ? t(system, 'The payment failed. You haven’t been charged.') : '',
    /** Whether a provider is processing a payment, so that the page polls for updates. */
    isProcessing: facts.wait === 'provider',
    /** Version shown to the customer, for the forms that agree to it. */
    version,
    /** URL for accepting changes; null if there is nothing to accept, or another problem prevents it. */
    accept:
      problems.length > 0 &&
      problems.every(({ remedy, line }) => remedy === 'renew' && line !== null) &&
      isOpen(order.state)
        ? `${path}/accept-changes`
        : null,
    bank: status?.bank && !isHeld ? bankView(system, status.bank, money, path) : null,
    waiting: isHeld ? [] : (status?.waiting ?? []),
    payText: open === null ? '' : payText(system, money.amount(open), waiting !== undefined),
    payHint: open !== null && waiting ? t(system, 'If you pay now, please don’t send the transfer as well.') : '',
    pay:
      open === null || methods.length === 0
        ? null
        : {
            acquirers: methods.map(({ counted: _, ...method }) => ({ ...method, told: '' })),
            attempt: randomUUID(),
            action: `${path}/transaction`,
            amount: open,
            version,
            back: (await system.model(SaleOrder).threadPaths([id])).get(id) || '/',
          },
    figures: figuresOf(system, order, money),
    moves: moves.filter(isShown).map((move) => shownMove(system, move)),
  };
}

function readOrder(system: Ctx, id: Id) {
  return system.model(SaleOrder).get(id, {
    select: {
      name: true,
      state: true,
      is_cart: true,
      blocked_reason: true,
      currency_id: true,
      access_token: true,
      amount_total: true,
      amount_paid: true,
      amount_refunded: true,
      amount_open: true,
      amount_refund_due: true,
      amount_owed: true,
    },
  });
}

const isOpen = (state: string): boolean => state === 'draft' || state === 'sent';

type OrderRow = Awaited<ReturnType<typeof readOrder>>;

/** Sums the refunds of a currency that are in one of these states. */
function refundsIn(moves: readonly MoneyMove[], currency: Id, states: readonly MoneyMove['state'][]): Minor {
  const refunds = moves.filter((move) => move.amount < 0 && move.currency === currency && states.includes(move.state));
  return refunds.reduce((sum, { amount }) => sum - amount, 0);
}

function payText(ctx: Ctx, amount: string, isInstead: boolean): string {
  return isInstead ? t(ctx, 'Or pay {amount} now', { amount }) : t(ctx, 'Pay {amount}', { amount });
}

/** Whether to show a payment to the customer: hides attempts that were only started, or that ended without a message. */
function isShown({ state, amount, note }: MoneyMove): boolean {
  if (state === 'draft') return amount < 0;
  return state !== 'cancel' || (amount > 0 && note !== '');
}

function shownMove(ctx: Ctx, move: MoneyMove) {
  const { what: kind, method, reference, state, stateText, amountText } = move;
  const day = ctx.get(app.formats).formatDay(move.date, ctx.timezone, ctx.lang, 'medium');
  return {
    day,
    what: [kind, method].filter(Boolean).join(', '),
    reference,
    stateText,
    isDone: state === 'done',
    amount: amountText,
  };
}

/** Amounts below the total: paid, refunded and due. Empty unless something was paid. */
function figuresOf(ctx: Ctx, order: OrderRow, money: MoneyTexts) {
  const { amount_paid, amount_refunded, amount_open, amount_refund_due } = order;
  if (!amount_paid) return [];
  const open = amount_open ?? 0;
  return [
    { label: t(ctx, 'Paid'), amount: money.amount(amount_paid), isSum: false },
    ...(amount_refunded ? [{ label: t(ctx, 'Refunded'), amount: money.amount(-amount_refunded), isSum: false }] : []),
    amount_refund_due
      ? { label: t(ctx, 'Refund due'), amount: money.amount(amount_refund_due), isSum: true }
      : open < 0
        ? { label: t(ctx, 'Overpaid'), amount: money.amount(-open), isSum: true }
        : { label: t(ctx, 'Amount due'), amount: money.amount(open), isSum: true },
  ];
}

/** Bank details of a transfer, each in readable form and for the clipboard. */
function bankView(ctx: Ctx, bank: BankDetails, money: MoneyTexts, path: string) {
  const row = (label: string, value: string | null, copied = value) => ({
    label,
    value: value ?? '',
    copied: copied ?? '',
  });
  return {
    rows: [
      row(t(ctx, 'Amount'), money.amount(bank.amount), bank.plainAmount),
      row(t(ctx, 'Account holder'), bank.owner),
      row(bank.isIban ? 'IBAN' : t(ctx, 'Account'), bank.account, bank.account?.replace(/\s/g, '') ?? ''),
      row('BIC', bank.bic),
      row(t(ctx, 'Bank'), bank.bank, ''),
      row(t(ctx, 'Payment reference'), bank.reference),
    ].filter(({ value }) => value !== ''),
    code: epcText(bank) === null ? '' : `${path}/transfer.svg`,
  };
}
