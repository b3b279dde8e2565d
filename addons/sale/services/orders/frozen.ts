import { Conflict } from '#core';

/** States in which a quotation may change, unless it is being paid. */
export const openStates = ['draft', 'sent'] as const;

/** What the customer agreed to: it stays as it was once they pay, and once it is an order. */
export const agreed = [
  'partner_id',
  'pricelist_id',
  'currency_id',
  'fiscal_position',
  'company_id',
  'order_line',
  'invoice_name',
  'invoice_company',
  'invoice_email',
  'invoice_phone',
  'invoice_street',
  'invoice_street2',
  'invoice_zip',
  'invoice_city',
  'invoice_state_id',
  'invoice_country_id',
  'invoice_vat',
  'shipping_same',
  'shipping_name',
  'shipping_company',
  'shipping_phone',
  'shipping_street',
  'shipping_street2',
  'shipping_zip',
  'shipping_city',
  'shipping_state_id',
  'shipping_country_id',
] as const;

export function notOpen(): Conflict {
  return new Conflict('This is no quotation any more, so it cannot be changed.', { code: 'sale.not_open' });
}

export function beingPaid(): Conflict {
  return new Conflict('This order is being paid, so it cannot be changed.', { code: 'sale.being_paid' });
}
