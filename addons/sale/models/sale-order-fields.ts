import { randomBytes } from 'node:crypto';
import { deliveryLabels } from '@pergola/mail';
import { f, type Id, type Ids, type Minor } from 'pergola';
import { moneyPaths } from '../services/orders/columns.ts';
import { agreed, stateColors } from '../services/orders/frozen.ts';

/** Stored sums of one tax over an order; amounts in minor units. */
export interface KeptTaxSum {
  readonly tax: Id;
  readonly base: Minor;
  readonly amount: Minor;
}

/** Fields that determine the totals of an order. */
const amountPaths = [
  'currency_id',
  'company_id',
  'order_line.product_uom_qty',
  'order_line.price_unit',
  'order_line.discount',
  'order_line.price_subtotal',
  'order_line.price_total',
  'order_line.tax_detail',
] as const;

/** Fields of `sale.order`. */
export const orderFields = {
  /** Empty for carts until payment starts; quotations get it at once. */
  name: f.char({ unique: true, readonly: true, copy: false, size: 64, label: 'Number' }),
  is_cart: f.boolean({ readonly: true, copy: false, index: true, label: 'Visitor cart' }),
  state: f.selection(
    { draft: 'Quotation', sent: 'Quotation sent', sale: 'Order', done: 'Done', cancel: 'order\u0004Cancelled' },
    {
      default: 'draft',
      readonly: true,
      copy: false,
      tracked: true,
      index: true,
      label: 'Status',
      colors: stateColors,
    },
  ),
  date_order: f.datetime({ ...agreed, required: true, copy: false, default: (ctx) => ctx.now(), label: 'Date' }),
  date_confirm: f.datetime({ readonly: true, copy: false, label: 'Confirmed on' }),
  partner_id: f.many2one('res.partner', {
    ...agreed,
    empty: 'none',
    index: true,
    tracked: true,
    label: 'Customer',
  }),
  user_id: f.many2one('res.users', { empty: 'none', label: 'Salesperson', tracked: true }),
  company_id: f.many2one('res.company', { ...agreed, required: true, ondelete: 'restrict' }),
  pricelist_id: f.many2one('product.pricelist', { ...agreed, ondelete: 'restrict', label: 'Pricelist' }),
  currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', readonly: true }),
  fiscal_position: f.many2one('account.fiscal.position', {
    ...agreed,
    ondelete: 'restrict',
    label: 'Fiscal position',
    help: 'Based on the shipping address for goods and the billing address for services. Event tickets are taxed where the event takes place, unless you choose another position here.',
  }),
  lang: f.char({ ...agreed, size: 10, label: 'Language' }),
  order_line: f.one2many('sale.order.line', 'order_id', { ...agreed, label: 'Lines', order: 'sequence, id' }),
  amount_untaxed: f.money({
    compute: 'computeAmounts',
    store: true,
    depends: amountPaths,
    label: 'Subtotal (excl. tax)',
  }),
  amount_tax: f.money({ compute: 'computeAmounts', store: true, depends: amountPaths, label: 'Taxes' }),
  amount_total: f.money({ compute: 'computeAmounts', store: true, depends: amountPaths, label: 'Total' }),
  tax_sums: f.json<readonly KeptTaxSum[]>({
    compute: 'computeAmounts',
    store: true,
    depends: amountPaths,
    label: 'Tax totals',
  }),
  cart_quantity: f.integer({
    compute: 'computeAmounts',
    store: true,
    depends: amountPaths,
    label: 'Number of items',
  }),
  /** Identifies everything the customer sees and agrees to; see `content`. Payments and signatures refer to it. */
  version: f.char({ compute: 'computeVersion', size: 64 }),
  client_order_ref: f.char({ ...agreed, label: 'Customer reference (PO)', copy: false }),
  origin: f.char({ label: 'Source' }),
  note: f.text({ ...agreed, label: 'Terms' }),
  /**
   * Not sealed, so that links in sent emails keep working when `SESSION_SECRET` changes. It only opens this order, which is stored next
   * to it.
   */
  access_token: f.char({
    required: true,
    secret: true,
    sealed: false,
    copy: false,
    size: 64,
    default: () => randomBytes(16).toString('base64url'),
  }),
  transaction_ids: f.one2many('payment.transaction', 'sale_order_id', { label: 'Payments' }),
  payment_acquirer_id: f.many2one('payment.acquirer', {
    empty: 'none',
    readonly: true,
    copy: false,
    label: 'Payment method',
  }),
  payment_state: f.selection(
    {
      none: 'Unpaid',
      pending: 'Pending',
      part: 'Partially paid',
      paid: 'order\u0004Paid',
      over: 'Overpaid',
      refund_due: 'Refund due',
      part_refunded: 'Partially refunded',
      refunded: 'order\u0004Refunded',
    },
    {
      compute: 'computePayments',
      store: true,
      depends: moneyPaths,
      label: 'Payment',
      colors: {
        pending: 'warning',
        part: 'warning',
        paid: 'success',
        over: 'danger',
        refund_due: 'danger',
        part_refunded: 'warning',
      },
    },
  ),
  amount_paid: f.money({ compute: 'computePayments', store: true, depends: moneyPaths, label: 'Paid' }),
  amount_refunded: f.money({ compute: 'computePayments', store: true, depends: moneyPaths, label: 'Refunded' }),
  /** Negative if the customer overpaid. */
  amount_open: f.money({ compute: 'computePayments', store: true, depends: moneyPaths, label: 'Amount due' }),
  amount_refund_due: f.money({ compute: 'computePayments', depends: moneyPaths, label: 'Refund due' }),
  amount_over: f.money({ compute: 'computePayments', depends: moneyPaths, label: 'Overpaid' }),
  refund_ids: f.one2many('payment.refund', 'sale_order_id', { label: 'Refunds' }),
  money_history: f.json({ compute: 'computeHistory', groups: 'sale.group_sale_user', label: 'History' }),
  wait_until: f.datetime({ readonly: true, copy: false, index: true, label: 'Awaiting transfer until' }),
  /** Email address that the customer confirmed. */
  confirmed_email: f.char({ readonly: true, copy: false, label: 'Confirmed email' }),
  /** Network the order was placed from, in the form of `networkKey`. */
  network: f.char({ readonly: true, copy: false, size: 64, index: true, secret: true }),
  /** Set if the order is paid, but staff must review it before delivery. */
  blocked_reason: f.selection(
    {
      cancelled: 'Paid after cancellation',
      changed: 'Paid, but the order had changed',
      short: 'Paid, but no longer in stock',
      twice: 'Overpaid',
      invalid: 'No longer available as ordered',
    },
    { readonly: true, copy: false, tracked: true, index: true, label: 'Needs review' },
  ),
  /** Problems when the order was blocked, one reason per line. */
  blocked_note: f.text({ readonly: true, copy: false, label: 'Reasons' }),
  /** Lines that can't be delivered. Stored here, because the lines don't change while the order is being paid. */
  void_lines: f.json<Ids>({ readonly: true, copy: false, label: 'Unavailable lines' }),
  /** Part of the amount paid that exceeds the deliverable lines. */
  amount_owed: f.money({
    compute: 'computeOwed',
    store: true,
    depends: [
      'state',
      'amount_total',
      'currency_id',
      'void_lines',
      'order_line.price_total',
      'transaction_ids.amount_left',
      'transaction_ids.currency_id',
    ],
    label: 'To refund',
    help: 'Paid for items that can no longer be delivered, and not refunded yet',
  }),
  invoice_name: f.char({ ...agreed, label: 'Name' }),
  invoice_company: f.char({ ...agreed, label: 'Company name' }),
  invoice_email: f.char({ ...agreed, label: 'Email' }),
  invoice_phone: f.char({ ...agreed, size: 64, label: 'Phone' }),
  invoice_street: f.char({ ...agreed, label: 'Street' }),
  invoice_street2: f.char({ ...agreed, label: 'Street 2' }),
  invoice_zip: f.char({ ...agreed, size: 24, label: 'Postal code' }),
  invoice_city: f.char({ ...agreed, label: 'City' }),
  invoice_state_id: f.many2one('res.country.state', { ...agreed, ondelete: 'restrict', label: 'State or province' }),
  invoice_country_id: f.many2one('res.country', { ...agreed, ondelete: 'restrict', label: 'Country' }),
  invoice_vat: f.char({ ...agreed, size: 32, label: 'Tax number' }),
  /** Decides on reverse charge; see `TaxNumbers`. Stores the register's result at the time of the order. */
  invoice_vat_state: f.selection(
    {
      valid: 'Confirmed by VIES',
      unverified: 'To be checked',
      invalid: 'Not in VIES',
      other: 'No reverse charge',
    },
    {
      readonly: true,
      copy: false,
      index: true,
      label: 'VAT number check',
      colors: { valid: 'success', unverified: 'warning', invalid: 'danger' },
    },
  ),
  invoice_vat_checked: f.datetime({ readonly: true, copy: false, label: 'VAT number checked on' }),
  invoice_vat_consultation: f.char({ readonly: true, copy: false, size: 64, label: 'VIES consultation number' }),
  shipping_same: f.boolean({ ...agreed, default: true, label: 'Ship to the same address' }),
  shipping_name: f.char({ ...agreed, label: 'Name' }),
  shipping_company: f.char({ ...agreed, label: 'Company name' }),
  shipping_phone: f.char({ ...agreed, size: 64, label: 'Phone' }),
  shipping_street: f.char({ ...agreed, label: 'Street' }),
  shipping_street2: f.char({ ...agreed, label: 'Street 2' }),
  shipping_zip: f.char({ ...agreed, size: 24, label: 'Postal code' }),
  shipping_city: f.char({ ...agreed, label: 'City' }),
  shipping_state_id: f.many2one('res.country.state', { ...agreed, ondelete: 'restrict', label: 'State or province' }),
  shipping_country_id: f.many2one('res.country', { ...agreed, ondelete: 'restrict', label: 'Country' }),
  mail_state: f.selection(deliveryLabels, {
    compute: 'computeMailState',
    depends: [],
    label: 'Last email',
    colors: { held: 'warning', refused: 'danger', bounced: 'danger' },
  }),
};
