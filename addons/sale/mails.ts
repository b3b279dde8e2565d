import { type Ctx, mail } from 'pergola';
import { type OrderMailKind, orderMailValues } from './services/orders/order-mail-values.ts';
import type { TotalRow } from './services/orders/total-rows.ts';
import type { BankDetails } from './services/payment/transfers.ts';

/** Values of emails about an order. */
export interface OrderMailValues {
  readonly reference: string;
  readonly company: string;
  readonly name: string;
  /** Whether the name belongs to a company, and has no first name. */
  readonly isCompany: boolean;
  /** Rows below the lines: subtotal, taxes and total. */
  readonly sums: readonly TotalRow[];
  /** Total, formatted. */
  readonly total: string;
  readonly paid: boolean;
  /** Amount due, formatted. */
  readonly open: string;
  /** Amount paid, formatted. */
  readonly received: string;
  /** Why the order can't proceed; empty in most emails. */
  readonly reasons: readonly string[];
  /** Refund, for the refund email. */
  readonly refund: { readonly amount: string; readonly reason: string; readonly method: string } | null;
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly amount: string }[];
  readonly bank: BankDetails;
  /** Deadline of the transfer, in sentences. */
  readonly waiting: readonly string[];
  /** URL that confirms the address; empty if no confirmation is needed. */
  readonly confirm: string;
  /** URL of the order on the site; empty if it has no page. */
  readonly path: string;
}

/** Returns the site's newest order, as a sample. */
const sampleOf =
  (kind: OrderMailKind) =>
  async (ctx: Ctx): Promise<OrderMailValues | null> => {
    const orders = ctx.model('sale.order');
    const [order] = await orders.search([['is_cart', '=', false]], { order: 'id desc', limit: 1 });
    // Administrators who edit the text may see any order.
    return order === undefined ? null : orderMailValues(ctx.sudo(), { order, kind });
  };

export const quotationMail = mail<OrderMailValues>('sale.quotation', {
  subject: '{company}: quotation {reference}',
  template: 'sale.mail_quotation',
  sample: sampleOf('quotation'),
  hourly: 20,
});

export const receivedMail = mail<OrderMailValues>('sale.received', {
  subject: '{company}: we have received your order {reference}',
  template: 'sale.mail_received',
  sample: sampleOf('received'),
  hourly: 20,
});

export const confirmedMail = mail<OrderMailValues>('sale.confirmed', {
  subject: '{company}: your order {reference} is confirmed',
  template: 'sale.mail_confirmed',
  sample: sampleOf('confirmed'),
  hourly: 20,
  excess: 'later',
});

export const blockedMail = mail<OrderMailValues>('sale.blocked', {
  subject: '{company}: we have received your payment for order {reference}',
  template: 'sale.mail_blocked',
  sample: sampleOf('blocked'),
  hourly: 20,
  excess: 'later',
});

export const problemMail = mail<OrderMailValues>('sale.problem', {
  subject: '{company}: please don’t pay order {reference} yet',
  template: 'sale.mail_problem',
  sample: sampleOf('problem'),
  hourly: 20,
  excess: 'later',
});

export const expiredMail = mail<OrderMailValues>('sale.expired', {
  subject: '{company}: your order {reference} was cancelled',
  template: 'sale.mail_expired',
  sample: sampleOf('expired'),
  hourly: 20,
  excess: 'later',
});

export const refundedMail = mail<OrderMailValues>('sale.refunded', {
  subject: '{company}: refund for your order {reference}',
  template: 'sale.mail_refunded',
  sample: async (ctx) => {
    const [refund] = await ctx
      .model('payment.refund')
      .find([['state', '=', 'done']], { select: { sale_order_id: true }, order: 'id desc', limit: 1 });
    return refund ? orderMailValues(ctx, { order: refund.sale_order_id, kind: 'refunded', refund: refund.id }) : null;
  },
  hourly: 20,
  excess: 'later',
});

/** Email written by staff to a customer about an order. */
export const writtenMail = mail<
  OrderMailValues & { readonly subject: string; readonly body: string; readonly hasLines: boolean }
>('sale.written', {
  subject: '{subject}',
  template: 'sale.mail_written',
  isPersonal: true,
  hourly: 20,
});

export const mails = [
  writtenMail,
  quotationMail,
  receivedMail,
  confirmedMail,
  blockedMail,
  problemMail,
  expiredMail,
  refundedMail,
];
