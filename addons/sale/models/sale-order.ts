import { randomBytes } from 'node:crypto';
import { Followers } from '#addons/mail';
import { type Decimal, type FieldsOf, f, type Id, type Ids, type Minor, model, type Values } from '#core';
import type { PdfContent } from '../services/documents/pdf.ts';
import { type AddressInput, copyAddresses, takeAddress } from '../services/order/addresses.ts';
import { orderAmounts } from '../services/order/amounts.ts';
import { cleanOrder, mergeOrders } from '../services/order/carts.ts';
import { completeOrders, mainCompany } from '../services/order/complete.ts';
import { refuseFrozen } from '../services/order/frozen.ts';
import { type OrderProblem, problemsOf } from '../services/order/problems.ts';
import { repriceOrder } from '../services/order/reprice.ts';
import { type LineAnswer, type LineRequest, setLine } from '../services/order/set-line.ts';
import { cancelOrders, confirmOrders, finishOrders, reopenOrders, sendOrders } from '../services/order/states.ts';
import { type TaxShare, taxShares } from '../services/order/tax-shares.ts';
import { cartNetwork } from '../services/stock/network.ts';

/** Sums of one tax over an order, as kept; amounts in minor units. */
export interface KeptTaxSum {
  readonly tax: Id;
  readonly base: Minor;
  readonly amount: Minor;
}

/**
 * What a customer wants to buy: first a cart or quotation, then an order. Addresses are copied onto it, so what happens to a contact later changes
 * nothing here.
 *
 * ```
 * draft ─▶ sent ─▶ sale ─▶ done
 *   ▲       │ │     │
 *   └─reopen┘ └─────┴──▶ cancel ─▶ draft (quotations)
 * ```
 */
export class SaleOrder extends model(
  'sale.order',
  {
    /** Empty until payment starts (carts), given at once for quotations. */
    name: f.char({ unique: true, readonly: true, copy: false, size: 64, label: 'Number' }),
    is_cart: f.boolean({ readonly: true, copy: false, index: true, label: 'Cart of a visitor' }),
    state: f.selection(
      { draft: 'Quotation', sent: 'Sent', sale: 'Order', done: 'Done', cancel: 'Cancelled' },
      { default: 'draft', readonly: true, copy: false, tracked: true, index: true },
    ),
    date_order: f.datetime({ required: true, copy: false, default: (ctx) => ctx.now(), label: 'Date' }),
    date_confirm: f.datetime({ readonly: true, copy: false, label: 'Confirmed on' }),
    partner_id: f.many2one('res.partner', { ondelete: 'set null', index: true, tracked: true, label: 'Customer' }),
    user_id: f.many2one('res.users', { ondelete: 'set null', label: 'Salesperson', tracked: true }),
    company_id: f.many2one('res.company', { required: true, ondelete: 'restrict' }),
    pricelist_id: f.many2one('product.pricelist', { ondelete: 'restrict', label: 'Pricelist' }),
    currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', readonly: true }),
    fiscal_position: f.many2one('account.fiscal.position', { ondelete: 'restrict', label: 'Fiscal position' }),
    lang: f.char({ size: 10, label: 'Language' }),
    order_line: f.one2many('sale.order.line', 'order_id', { label: 'Lines', order: 'sequence, id' }),
    amount_untaxed: f.money({
      compute: 'computeAmounts',
      store: true,
      depends: amountPaths(),
      label: 'Untaxed amount',
    }),
    amount_tax: f.money({ compute: 'computeAmounts', store: true, depends: amountPaths(), label: 'Taxes' }),
    amount_total: f.money({ compute: 'computeAmounts', store: true, depends: amountPaths(), label: 'Total' }),
    tax_sums: f.json<readonly KeptTaxSum[]>({ compute: 'computeAmounts', store: true, depends: amountPaths() }),
    cart_quantity: f.integer({
      compute: 'computeAmounts',
      store: true,
      depends: amountPaths(),
      label: 'Number of pieces',
    }),
    /** Stands for what is ordered and at which prices; another one after every change. What a customer pays or signs names it. */
    version: f.char({ compute: 'computeAmounts', store: true, depends: amountPaths(), size: 64 }),
    client_order_ref: f.char({ label: 'Reference of the customer', copy: false }),
    origin: f.char({ label: 'Source' }),
    note: f.text({ label: 'Terms' }),
    access_token: f.char({
      required: true,
      secret: true,
      copy: false,
      size: 64,
      default: () => randomBytes(16).toString('base64url'),
    }),
    transaction_ids: f.one2many('payment.transaction', 'sale_order_id', { label: 'Payments' }),
    payment_acquirer_id: f.many2one('payment.acquirer', { readonly: true, copy: false, label: 'Payment method' }),
    payment_state: f.selection(
      { none: 'Not paid', pending: 'Pending', paid: 'Paid' },
      { compute: 'computePaymentState', store: true, depends: ['transaction_ids.state'], label: 'Payment' },
    ),
    wait_until: f.datetime({ readonly: true, copy: false, index: true, label: 'Waits for the transfer until' }),
    /** The address that was shown to be the customer's. */
    confirmed_email: f.char({ readonly: true, copy: false, label: 'Confirmed e-mail address' }),
    /** Where it was placed from, as `networkKey` tells networks apart. */
    network: f.char({ readonly: true, copy: false, size: 64, index: true, secret: true }),
    /** Paid, and yet not to be delivered before somebody has looked at it. */
    blocked_reason: f.selection(
      {
        cancelled: 'Paid after it was cancelled',
        changed: 'Paid for something else',
        short: 'Paid, but not enough left',
        twice: 'Paid twice',
      },
      { readonly: true, copy: false, tracked: true, index: true, label: 'Paid but blocked' },
    ),
    invoice_name: f.char({ label: 'Name' }),
    invoice_company: f.char({ label: 'Company name' }),
    invoice_email: f.char({ label: 'Email' }),
    invoice_phone: f.char({ size: 64, label: 'Phone' }),
    invoice_street: f.char({ label: 'Street' }),
    invoice_street2: f.char({ label: 'Street 2' }),
    invoice_zip: f.char({ size: 24, label: 'Postal code' }),
    invoice_city: f.char({ label: 'City' }),
    invoice_state_id: f.many2one('res.country.state', { ondelete: 'set null', label: 'State' }),
    invoice_country_id: f.many2one('res.country', { ondelete: 'set null', label: 'Country' }),
    invoice_vat: f.char({ size: 32, label: 'Tax number' }),
    shipping_same: f.boolean({ default: true, label: 'Sent to the same address' }),
    shipping_name: f.char({ label: 'Name' }),
    shipping_company: f.char({ label: 'Company name' }),
    shipping_phone: f.char({ size: 64, label: 'Phone' }),
    shipping_street: f.char({ label: 'Street' }),
    shipping_street2: f.char({ label: 'Street 2' }),
    shipping_zip: f.char({ size: 24, label: 'Postal code' }),
    shipping_city: f.char({ label: 'City' }),
    shipping_state_id: f.many2one('res.country.state', { ondelete: 'set null', label: 'State' }),
    shipping_country_id: f.many2one('res.country', { ondelete: 'set null', label: 'Country' }),
  },
  {
    order: 'date_order desc, id desc',
    label: 'Sales order',
    mixins: [Followers],
    indexes: [
      ['is_cart', 'state', 'write_date'],
      ['partner_id', 'state'],
    ],
  },
) {
  /** New forms begin with who sells, which staff would otherwise have to look for. */
  override async defaults(
    names: readonly (keyof FieldsOf<SaleOrder> & string)[],
  ): Promise<Values<FieldsOf<SaleOrder>>> {
    const seller: Values<FieldsOf<SaleOrder>> = {
      ...(names.includes('company_id') ? { company_id: await mainCompany(this.ctx.sudo()) } : {}),
      ...(names.includes('user_id') ? { user_id: this.ctx.user.id } : {}),
    };
    return { ...seller, ...(await super.defaults(names)) };
  }

  override async beforeCreate(
    values: readonly Values<FieldsOf<SaleOrder>>[],
  ): Promise<readonly Values<FieldsOf<SaleOrder>>[]> {
    return super.beforeCreate(await completeOrders(this.ctx, values));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<SaleOrder>>): Promise<Values<FieldsOf<SaleOrder>>> {
    await refuseFrozen(this.ctx, ids, values);
    return super.beforeWrite(ids, await copyAddresses(this.ctx, ids, values));
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await refuseFrozen(this.ctx, ids, 'unlink');
    await super.beforeUnlink(ids);
  }

  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, is_cart: true } });
    return new Map(
      rows.map(({ id, name, is_cart }) => [
        id,
        name ??
          (is_cart
            ? this.ctx.t('Cart {reference}', { reference: id })
            : this.ctx.t('Quotation {reference}', { reference: id })),
      ]),
    );
  }

  /** Totals, sums of taxes, number of pieces and version, from the lines. */
  async computeAmounts(
    ids: Ids,
  ): Promise<Map<Id, Awaited<ReturnType<typeof orderAmounts>> extends Map<Id, infer A> ? A : never>> {
    return orderAmounts(this.ctx, ids);
  }

  async computePaymentState(ids: Ids): Promise<Map<Id, 'none' | 'pending' | 'paid'>> {
    const rows = await this.read(ids, { select: { transaction_ids: { state: true } } });
    return new Map(
      rows.map(({ id, transaction_ids }) => {
        const states = new Set(transaction_ids.map(({ state }) => state));
        return [id, states.has('done') ? 'paid' : states.has('pending') ? 'pending' : 'none'];
      }),
    );
  }

  /** A cart for a visitor; give what is known of them (`partner_id`, `pricelist_id`, `lang`). It has no number until it is paid. */
  async openCart(values: Values<FieldsOf<SaleOrder>> = {}): Promise<Id> {
    return this.create({ ...values, is_cart: true, network: cartNetwork(this.ctx) });
  }

  /**
   * Sets how many of a product an order has, at the prices the shop has now, holding what is limited. Asks for `set` (the same call again changes
   * nothing) or `add`. Nothing is refused for want of stock: fewer are put in, and `warning` says why.
   *
   * @throws Conflict while the order is being paid, or is no quotation any more; NotFound for a line of another order.
   */
  async setLine(id: Id, request: LineRequest): Promise<LineAnswer> {
    return setLine(this.ctx, id, request);
  }

  /** Works the prices, texts and taxes of all lines out anew: after another pricelist, customer or address. */
  async reprice(ids: Ids): Promise<void> {
    for (const id of ids) await repriceOrder(this.ctx, id);
  }

  /** Another pricelist, with its currency; prices follow. */
  async setPricelist(id: Id, pricelist: Id | null): Promise<void> {
    await this.write(id, { pricelist_id: pricelist });
    await this.reprice([id]);
  }

  /** Copies what a customer typed onto the order; the fiscal position and the taxes follow the country of delivery. Nobody's contact is changed. */
  async setAddress(id: Id, address: AddressInput): Promise<void> {
    await takeAddress(this.ctx, id, address);
  }

  /** Puts the lines of one cart into another and deletes the first; quantities of the same line are added up. */
  async mergeInto(from: Id, into: Id): Promise<void> {
    await mergeOrders(this.ctx, from, into);
  }

  /** Empties a cart and gives back what it held. */
  async clean(id: Id): Promise<void> {
    await cleanOrder(this.ctx, id);
  }

  /**
   * Why an order cannot be paid as it is, with a text for the customer: lines whose product is no longer sold, changed prices, too few left. Asked
   * at checkout and again when payment starts. Layers add theirs.
   */
  async problems(id: Id): Promise<OrderProblem[]> {
    return problemsOf(this.ctx, id);
  }

  /** Sums by tax with their labels in the context's language, for pages and documents. */
  async taxShares(id: Id): Promise<TaxShare[]> {
    return taxShares(this.ctx, id);
  }

  /** What layers add to the order's document, under its terms: a signature. */
  async documentParts(_id: Id): Promise<PdfContent[]> {
    return [];
  }

  /** Sends quotations to their customers by mail. */
  async send(ids: Ids): Promise<void> {
    await sendOrders(this.ctx, ids);
  }

  /**
   * Makes quotations orders: takes what is limited from stock, numbers them, tells the customer. Layers add what else is to be done (registrations).
   *
   * @throws Conflict when something is no longer there, or the state does not allow it.
   */
  async confirm(ids: Ids): Promise<void> {
    await confirmOrders(this.ctx, ids);
  }

  /** Cancels orders, ends payments that are not done, and gives back what was held or taken. */
  async cancel(ids: Ids): Promise<void> {
    await cancelOrders(this.ctx, ids);
  }

  /** Makes cancelled or sent quotations editable again; a payment that was only begun is ended. */
  async reopen(ids: Ids): Promise<void> {
    await reopenOrders(this.ctx, ids);
  }

  /** Closes orders that were delivered. */
  async finish(ids: Ids): Promise<void> {
    await finishOrders(this.ctx, ids);
  }
}

/** What the totals of an order follow. */
function amountPaths(): readonly string[] {
  return [
    'currency_id',
    'company_id',
    'order_line.name',
    'order_line.product_uom_qty',
    'order_line.price_unit',
    'order_line.discount',
    'order_line.price_subtotal',
    'order_line.price_total',
    'order_line.tax_detail',
  ];
}

export type { Decimal };

declare module '#core' {
  interface Models {
    'sale.order': SaleOrder;
  }
}
