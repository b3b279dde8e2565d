import { mail } from '#core';
import type { BankDetails } from './services/payment/transfers.ts';

/** What mails about an order say. */
export interface OrderMailValues {
  readonly reference: string;
  readonly company: string;
  readonly name: string;
  /** Formatted, where the lines are without tax: what they come to, and each tax; else empty. */
  readonly untaxed: string;
  readonly taxes: readonly { readonly label: string; readonly amount: string }[];
  /** Formatted. */
  readonly total: string;
  readonly paid: boolean;
  /** Formatted: what is still to be paid. */
  readonly open: string;
  /** What was given back, of the mail that says so. */
  readonly refund: { readonly amount: string; readonly reason: string; readonly method: string } | null;
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly amount: string }[];
  readonly bank: BankDetails;
  /** Until when the order waits for a transfer, in sentences. */
  readonly waiting: readonly string[];
  /** Where the customer confirms the address; empty where there is no need. */
  readonly confirm: string;
  /** Where the order is read on the site; empty where it has no page. */
  readonly path: string;
}

export const quotationMail = mail<OrderMailValues>('sale.quotation', {
  subject: '{company}: quotation {reference}',
  template: 'sale.mail_quotation',
  hourly: 20,
});

export const receivedMail = mail<OrderMailValues>('sale.received', {
  subject: '{company}: we have received your order {reference}',
  template: 'sale.mail_received',
  hourly: 20,
});

export const confirmedMail = mail<OrderMailValues>('sale.confirmed', {
  subject: '{company}: your order {reference} is confirmed',
  template: 'sale.mail_confirmed',
  hourly: 20,
});

export const blockedMail = mail<OrderMailValues>('sale.blocked', {
  subject: '{company}: we have received your payment for order {reference}',
  template: 'sale.mail_blocked',
  hourly: 20,
});

export const expiredMail = mail<OrderMailValues>('sale.expired', {
  subject: '{company}: your order {reference} was cancelled',
  template: 'sale.mail_expired',
  hourly: 20,
});

export const refundedMail = mail<OrderMailValues>('sale.refunded', {
  subject: '{company}: we have refunded money of order {reference}',
  template: 'sale.mail_refunded',
  hourly: 20,
});

export const mails = [quotationMail, receivedMail, confirmedMail, blockedMail, expiredMail, refundedMail];
