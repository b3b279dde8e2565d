import { randomBytes } from 'node:crypto';
import { Currency, Sequence } from '#addons/base';
import { Followers } from '#addons/mail';
import {
  app,
  Conflict,
  type Ctx,
  type Decimal,
  decimal,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  type Minor,
  model,
  NotFound,
  type RawDomain,
  type Values,
} from '#core';
import { orderMail } from '../jobs/order-mail.ts';
import { currencies } from '../services/currencies.ts';
import type { PdfContent } from '../services/documents/pdf.ts';
import { type AddressInput, addressFields } from '../services/orders/addresses.ts';
import { changeColumns, moneyColumns, moneyPaths } from '../services/orders/columns.ts';
import { cartUntil } from '../services/orders/expiry.ts';
import { agreed, beingPaid, notOpen, stateColors } from '../services/orders/frozen.ts';
import {
  cutText,
  isSameNeed,
  type LineAnswer,
  type LineRequest,
  MOST_PIECES,
  shortText,
  wantedQuantity,
} from '../services/orders/line-request.ts';
import type { Offer, OrderTerms } from '../services/orders/offer.ts';
import { OrderDefaults, orderSequence } from '../services/orders/order-defaults.ts';
import { type OrderAmounts, orderTotals, taxRounding } from '../services/orders/totals.ts';
import { moneyHistory } from '../services/payment/money-history.ts';
import { type OrderPayments, orderPayments } from '../services/payment/order-payments.ts';
import { Transfers } from '../services/payment/transfers.ts';
import type { Need } from '../services/stock/limited-resources.ts';
import { cartNetwork } from '../services/stock/network.ts';
import { Stock } from '../services/stock/stock.ts';
import { taxLabels } from '../services/tax/tax-rules.ts';
import { FiscalPosition } from './account-fiscal-position.ts';
import { ProductProduct } from './product-product.ts';
import { SaleOrderLine } from './sale-order-line.ts';

/** Sums of one tax over an order, as kept; amounts in minor units. */
export interface KeptTaxSum {
  readonly tax: Id;
  readonly base: Minor;
  readonly amount: Minor;
}

/** One tax over an order, as documents show it. */
export interface TaxShare {
  readonly label: string;
  readonly base: Minor;
  readonly amount: Minor;
}

/** Why an order cannot be paid as it is. */
export interface OrderProblem {
  /** Permanent: `sale.empty`, `sale.not_sold`, `sale.price_changed`, `sale.short`. */
  readonly code: string;
  /** For the customer, in the context's language. */
  readonly message: string;
  /** The line it is about. */
  readonly line: Id | null;
}

type OrderValues = Values<FieldsOf<SaleOrder>>;
type OrderState = 'draft' | 'sent' | 'sale' | 'done' | 'cancel';

/** More lines than this are no order of a person. */
const MOST_LINES = 300;

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
      { default: 'draft', readonly: true, copy: false, tracked: true, index: true, colors: stateColors },
    ),
    date_order: f.datetime({ required: true, copy: false, default: (ctx) => ctx.now(), label: 'Date' }),
    date_confirm: f.datetime({ readonly: true, copy: false, label: 'Confirmed on' }),
    partner_id: f.many2one('res.partner', {
      ...agreed,
      ondelete: 'set null',
      index: true,
      tracked: true,
      label: 'Customer',
    }),
    user_id: f.many2one('res.users', { ondelete: 'set null', label: 'Salesperson', tracked: true }),
    company_id: f.many2one('res.company', { ...agreed, required: true, ondelete: 'restrict' }),
    pricelist_id: f.many2one('product.pricelist', { ...agreed, ondelete: 'restrict', label: 'Pricelist' }),
    currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', readonly: true }),
    fiscal_position: f.many2one('account.fiscal.position', {
      ...agreed,
      ondelete: 'restrict',
      label: 'Fiscal position',
    }),
    lang: f.char({ size: 10, label: 'Language' }),
    order_line: f.one2many('sale.order.line', 'order_id', { ...agreed, label: 'Lines', order: 'sequence, id' }),
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
      {
        none: 'Not paid',
        pending: 'Pending',
        part: 'Paid in part',
        paid: 'Paid',
        over: 'Paid too much',
        part_refunded: 'Refunded in part',
        refunded: 'Refunded',
      },
      {
        compute: 'computePayments',
        store: true,
        depends: moneyPaths,
        label: 'Payment',
        colors: { pending: 'warning', part: 'warning', paid: 'success', over: 'danger', part_refunded: 'warning' },
      },
    ),
    amount_paid: f.money({ compute: 'computePayments', store: true, depends: moneyPaths, label: 'Paid so far' }),
    amount_refunded: f.money({ compute: 'computePayments', store: true, depends: moneyPaths, label: 'Refunded' }),
    /** Less than nothing where too much is there. */
    amount_open: f.money({ compute: 'computePayments', store: true, depends: moneyPaths, label: 'Still to pay' }),
    amount_over: f.money({ compute: 'computePayments', depends: moneyPaths, label: 'Paid too much' }),
    refund_ids: f.one2many('payment.refund', 'sale_order_id', { label: 'Refunds' }),
    money_history: f.json({ compute: 'computeHistory', groups: 'sale.group_sale_user', label: 'History' }),
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
        twice: 'Paid too much',
      },
      { readonly: true, copy: false, tracked: true, index: true, label: 'Needs review' },
    ),
    invoice_name: f.char({ ...agreed, label: 'Name' }),
    invoice_company: f.char({ ...agreed, label: 'Company name' }),
    invoice_email: f.char({ ...agreed, label: 'Email' }),
    invoice_phone: f.char({ ...agreed, size: 64, label: 'Phone' }),
    invoice_street: f.char({ ...agreed, label: 'Street' }),
    invoice_street2: f.char({ ...agreed, label: 'Street 2' }),
    invoice_zip: f.char({ ...agreed, size: 24, label: 'Postal code' }),
    invoice_city: f.char({ ...agreed, label: 'City' }),
    invoice_state_id: f.many2one('res.country.state', { ...agreed, ondelete: 'set null', label: 'State' }),
    invoice_country_id: f.many2one('res.country', { ...agreed, ondelete: 'set null', label: 'Country' }),
    invoice_vat: f.char({ ...agreed, size: 32, label: 'Tax number' }),
    shipping_same: f.boolean({ ...agreed, default: true, label: 'Sent to the same address' }),
    shipping_name: f.char({ ...agreed, label: 'Name' }),
    shipping_company: f.char({ ...agreed, label: 'Company name' }),
    shipping_phone: f.char({ ...agreed, size: 64, label: 'Phone' }),
    shipping_street: f.char({ ...agreed, label: 'Street' }),
    shipping_street2: f.char({ ...agreed, label: 'Street 2' }),
    shipping_zip: f.char({ ...agreed, size: 24, label: 'Postal code' }),
    shipping_city: f.char({ ...agreed, label: 'City' }),
    shipping_state_id: f.many2one('res.country.state', { ...agreed, ondelete: 'set null', label: 'State' }),
    shipping_country_id: f.many2one('res.country', { ...agreed, ondelete: 'set null', label: 'Country' }),
  },
  {
    order: 'date_order desc, id desc',
    label: 'Sales order',
    mixins: [Followers],
    indexes: [
      ['is_cart', 'state', 'write_date'],
      ['partner_id', 'state'],
      ['payment_state', 'state'],
      // What was sold when. Without the total: what is in no index is changed in carts without a look at the others.
      ['date_confirm', 'state', 'currency_id'],
    ],
  },
) {
  /** Lines that follow what is being written, by order; see `#noteFollowing`. */
  readonly #following = new Map<Id, ReadonlyMap<Id, Shared>>();

  /** New forms begin with who sells, which staff would otherwise have to look for. */
  override async defaults(names: readonly (keyof FieldsOf<SaleOrder> & string)[]): Promise<OrderValues> {
    const seller: OrderValues = {
      ...(names.includes('company_id')
        ? { company_id: await this.ctx.sudo().get(OrderDefaults).mainCompany() } // Which company sells is no secret.
        : {}),
      ...(names.includes('user_id') ? { user_id: this.ctx.user.id } : {}),
    };
    return { ...seller, ...(await super.defaults(names)) };
  }

  override async beforeCreate(values: readonly OrderValues[]): Promise<readonly OrderValues[]> {
    const defaults = this.ctx.sudo().get(OrderDefaults); // What follows from a customer does so for everybody who may make an order.
    const complete: OrderValues[] = [];
    for (const value of values) complete.push(await defaults.forNew(value));
    return super.beforeCreate(complete);
  }

  override async beforeWrite(ids: Ids, values: OrderValues): Promise<OrderValues> {
    const system = this.ctx.sudo(); // What follows from a customer and a pricelist does so for everybody who may write the order.
    const complete = await system
      .get(OrderDefaults)
      .forChange(values, await system.model(SaleOrder).#newCustomer(ids, values));
    if (typeof complete.currency_id === 'number')
      await system.model(SaleOrder).#refuseOtherCurrency(ids, complete.currency_id);
    if (termNames.some((name) => name in complete)) await this.#noteFollowing(ids, complete);
    return super.beforeWrite(ids, complete);
  }

  override async afterWrite(ids: Ids, values: OrderValues): Promise<void> {
    await super.afterWrite(ids, values);
    for (const id of ids) await this.#follow(id);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    const orders = this.ctx.sudo().model(SaleOrder); // The state decides, whoever may read it.
    for (const row of await orders.read(ids, { select: { state: true } })) {
      if (row.state === 'cancel') continue;
      if (row.state !== 'draft')
        throw new Conflict('Only quotations and cancelled orders can be deleted.', { code: 'sale.not_deletable' });
    }
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
  async computeAmounts(ids: Ids): Promise<Map<Id, OrderAmounts>> {
    const rows = await this.read(ids, {
      select: {
        currency_id: true,
        company_id: true,
        order_line: {
          product_id: true,
          name: true,
          product_uom_qty: true,
          price_unit: true,
          discount: true,
          price_subtotal: true,
          price_tax: true,
          price_total: true,
          tax_detail: true,
        },
      },
    });
    const known = await currencies.get(
      this.ctx,
      rows.map(({ currency_id }) => currency_id),
    );
    const methods = new Map<Id, string>();
    for (const company of new Set(rows.map(({ company_id }) => company_id)))
      methods.set(company, await taxRounding.get(this.ctx, company));
    return new Map(
      rows.map(({ id, currency_id, company_id, order_line }) => [
        id,
        orderTotals(order_line, {
          currencyId: currency_id,
          currency: known.get(currency_id) ?? { digits: 2 },
          roundsGlobally: methods.get(company_id) === 'round_globally',
        }),
      ]),
    );
  }

  /** What was paid and given back, what is still open, and what that comes to in a word. */
  async computePayments(ids: Ids): Promise<Map<Id, OrderPayments>> {
    const rows = await this.read(ids, {
      select: moneyColumns,
    });
    return new Map(
      rows.map(({ id, state, amount_total, currency_id, transaction_ids }) => {
        const payments = transaction_ids.filter((one) => one.currency_id === currency_id);
        const refunds = payments.flatMap(({ refund_ids }) => refund_ids);
        const money = { total: amount_total ?? 0, isCancelled: state === 'cancel', payments, refunds };
        return [id, orderPayments(money)];
      }),
    );
  }

  /** All money of orders as a table of the form: tries, payments and refunds. */
  async computeHistory(ids: Ids): Promise<Map<Id, object>> {
    const system = this.ctx.sudo(); // Whoever may read the order may know who paid it.
    const formats = this.ctx.get(app.formats);
    const columns = [
      { label: this.ctx.t('Reference') },
      { label: this.ctx.t('What') },
      { label: this.ctx.t('Date') },
      { label: this.ctx.t('By') },
      { label: this.ctx.t('Method') },
      { label: this.ctx.t('State') },
      { label: this.ctx.t('Reference of the money') },
      { label: this.ctx.t('Amount'), isNumber: true },
    ];
    const tables = new Map<Id, object>();
    for (const id of ids) {
      const rows = (await moneyHistory(system, id)).map((move) => ({
        model: move.model,
        id: move.id,
        cells: [
          move.reference,
          move.what,
          formats.formatDateTime(move.date, this.ctx.timezone, this.ctx.lang, 'short'),
          move.by,
          move.method,
          [move.stateText, move.note].filter(Boolean).join(': '),
          move.moneyReference,
          move.amountText,
        ],
      }));
      tables.set(id, { columns, rows });
    }
    return tables;
  }

  /** Whose clocks the mails and documents of an order go by: those of its customer; null where nobody knows them. */
  async zoneOf(id: Id): Promise<string | null> {
    const { partner_id } = await this.ctx
      .sudo() // Whoever may write to a customer needs no right to read them.
      .model(SaleOrder)
      .get(id, { select: { partner_id: { tz: true } } });
    return partner_id?.tz ?? null;
  }

  /** What the prices of an order's lines follow. */
  async termsOf(id: Id): Promise<OrderTerms> {
    return termsFrom(await this.get(id, { select: termColumns }));
  }

  /** A cart for a visitor; give what is known of them (`partner_id`, `pricelist_id`, `lang`). It has no number until it is paid. */
  async openCart(values: OrderValues = {}): Promise<Id> {
    return this.create({ ...values, is_cart: true, network: cartNetwork(this.ctx) });
  }

  /**
   * Sets how many of a product an order has, at the prices the shop has now, holding what is limited. Asks for `set` (the same call again changes
   * nothing) or `add`. Nothing is refused for want of stock: fewer are put in, and `warning` says why.
   *
   * @throws Conflict while the order is being paid, or is no quotation any more; NotFound for a line of another order.
   */
  async setLine(id: Id, request: LineRequest): Promise<LineAnswer> {
    // Whoever may change the order at all may do so through this: what it needs of prices, taxes and stock is not theirs to read.
    const ctx = await this.#withRights(id);
    const stock = ctx.get(Stock);
    const lines = ctx.model(SaleOrderLine);
    const orders = ctx.model(SaleOrder);
    await ctx.lock(SaleOrder, [id]);
    const order = await orders.get(id, { select: changeColumns });
    await orders.#refuseUnlessEditable(order);
    const line = await orders.#lineOf(order.order_line, request);
    const before = decimal(line?.product_uom_qty ?? '0').toNumber();
    const { quantity: wanted, cut } = wantedQuantity(request, before);
    const warned = (answer: LineAnswer): LineAnswer =>
      answer.warning === undefined && cut !== null ? { ...answer, warning: cutText(ctx, cut), cut } : answer;
    if (wanted <= 0) {
      if (line) await lines.unlink(line.id);
      return warned({ line: null, quantity: 0 });
    }
    if (!line && order.order_line.length >= MOST_LINES)
      throw new InvalidInput('An order has {most} lines at most.', {
        code: 'sale.too_many_lines',
        params: { most: MOST_LINES },
      });
    const needs = await lines.wants(request, wanted, line?.id ?? null);
    // Seats and stock are not kept from everybody by carts that one network begins; who is signed in has one cart.
    const isBounded = needs.length > 0 && wanted > before && order.partner_id === null;
    const [mayHold, short] = await Promise.all([
      !isBounded || stock.hasRoom(order, ['draft', 'sent']),
      stock.shortages(needs, { order: id }),
    ]);
    if (!mayHold) {
      const warning = ctx.t(
        'A lot is kept for carts from your network already. Sign in to put this into yours, or try again in a few minutes.',
      );
      return { line: line?.id ?? null, quantity: before, warning };
    }
    if (!line && short.some(({ left }) => left <= 0))
      return { line: null, quantity: 0, warning: shortText(ctx, short) };
    const asked = { id, terms: termsFrom(order), taxes: line?.tax_id ?? [], request, quantity: wanted };
    const written = await orders.#writeLine({ ...asked, line: line?.id ?? null });
    return warned(await orders.#holdLine({ ...asked, line: written }, short.length === 0 ? needs : []));
  }

  /** Works the prices, texts and taxes of all lines out anew: after another pricelist, customer or address. Lines that are no longer sold stay. */
  async reprice(ids: Ids): Promise<void> {
    for (const id of ids) {
      const ctx = await this.#withRights(id); // The prices of the shop they need not be able to read.
      const orders = ctx.model(SaleOrder);
      await ctx.lock(SaleOrder, [id]);
      await orders.#refuseUnlessEditable(await orders.get(id, { select: { state: true } }));
      for (const line of await orders.#currentOffers(id)) {
        if (!line.offer) continue;
        const { name, price_unit, price_list, tax_id, product_uom } = line.offer;
        await ctx
          .model(SaleOrderLine)
          .write(line.id, { name, price_unit, price_list, tax_id: [{ set: tax_id }], product_uom });
      }
    }
  }

  /** Another pricelist, with its currency; prices follow. */
  async setPricelist(id: Id, pricelist: Id | null): Promise<void> {
    await this.write(id, { pricelist_id: pricelist });
    await this.reprice([id]);
  }

  /** Copies what a customer typed onto the order; the fiscal position and the taxes follow the country of delivery. Nobody's contact is changed. */
  async setAddress(id: Id, { billing, shipping = null }: AddressInput): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    const order = await this.get(id, { select: { state: true, partner_id: true, fiscal_position: true } });
    await this.#refuseUnlessEditable(order);
    const position = await this.ctx
      .sudo() // The taxes of a place are no secret of whoever lives there.
      .model(FiscalPosition)
      .forCustomer({
        partner: order.partner_id,
        country: (shipping ?? billing).country_id ?? null,
        vat: billing.vat ?? null,
      });
    await this.write(id, { ...addressFields(billing, shipping), fiscal_position: position });
    if (position !== order.fiscal_position) await this.reprice([id]);
  }

  /**
   * Puts the lines of one cart into another and deletes the first; quantities of the same line are added up. What there is too little of for both stays as
   * it was in the target.
   */
  async mergeInto(from: Id, into: Id): Promise<void> {
    if (from === into) return;
    await this.ctx.lock(SaleOrder, [from, into]);
    const select = { state: true, order_line: { product_id: true, product_uom_qty: true } } as const;
    const source = await this.get(from, { select });
    const target = await this.get(into, { select });
    await this.#refuseUnlessEditable(source);
    await this.#refuseUnlessEditable(target);
    const lines = this.ctx.model(SaleOrderLine);
    for (const line of source.order_line) {
      const candidates = target.order_line.filter(
        ({ product_id }) => product_id !== null && product_id === line.product_id,
      );
      const meant =
        candidates.length === 0 || line.product_id === null
          ? null
          : await lines.sameLine(
              candidates.map((one) => one.id),
              { product: line.product_id, extra: await lines.extraOf(line.id) },
            );
      const same = candidates.find((one) => one.id === meant);
      if (!same) {
        await lines.write(line.id, { order_id: into });
        continue;
      }
      const sum = decimal(line.product_uom_qty).plus(same.product_uom_qty);
      await lines.write(same.id, { product_uom_qty: (sum.gt(MOST_PIECES) ? decimal(MOST_PIECES) : sum).toString() });
      await lines.unlink(line.id);
      if (await this.#holdForCart(into, same.id)) continue;
      await lines.write(same.id, { product_uom_qty: same.product_uom_qty });
      await this.#holdForCart(into, same.id);
    }
    await this.unlink(from);
    // Lines that came over hold what they need for their new order; those that cannot are told of at checkout.
    const { order_line } = await this.get(into, { select: { order_line: true } });
    for (const line of order_line) await this.#holdForCart(into, line);
    await this.reprice([into]);
  }

  /** Empties a cart and gives back what it held. */
  async clean(id: Id): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    const order = await this.get(id, { select: { state: true, order_line: true } });
    await this.#refuseUnlessEditable(order);
    if (order.order_line.length > 0) await this.ctx.model(SaleOrderLine).unlink(order.order_line);
  }

  /**
   * Why an order cannot be paid as it is, with a text for the customer: lines whose product is no longer sold, changed prices, too few left. Asked
   * at checkout and again when payment starts. Nothing is locked: what is limited is decided on when it is held, and this tells of it early. Extensions add
   * theirs.
   */
  async problems(id: Id): Promise<OrderProblem[]> {
    await this.get(id, { select: { state: true } });
    const ctx = this.ctx.sudo(); // Whoever has the order may know why it cannot be paid.
    const orders = ctx.model(SaleOrder);
    const { order_line, is_cart } = await orders.get(id, {
      select: { is_cart: true, order_line: { product_id: true, name: true } },
    });
    if (order_line.length === 0) return [{ code: 'sale.empty', message: ctx.t('There is nothing in it.'), line: null }];
    const products = order_line.flatMap(({ product_id }) => product_id ?? []);
    const buyable = await ctx.model(ProductProduct).buyable(products);
    const gone = order_line.filter(({ product_id }) => product_id !== null && !buyable.has(product_id));
    const problems: OrderProblem[] = gone.map(({ id: line, name }) => ({
      code: 'sale.not_sold',
      message: ctx.t('“{name}” is no longer sold.', { name: firstLine(name) }),
      line,
    }));
    // What a salesperson agreed on with a customer holds whatever the shop asks.
    const changed = is_cart ? (await orders.#currentOffers(id)).filter((line) => !isSameOffer(line)) : [];
    for (const { id: line, offer } of changed) {
      if (gone.some((one) => one.id === line)) continue;
      problems.push({
        code: offer ? 'sale.price_changed' : 'sale.not_sold',
        message: offer
          ? ctx.t('The price of “{name}” has changed.', { name: firstLine(offer.name) })
          : ctx.t('Something in it is no longer sold.'),
        line,
      });
    }
    const needs = await ctx.model(SaleOrderLine).needs(order_line.map((line) => line.id));
    for (const short of await ctx.get(Stock).shortages(needs, { order: id, locked: false }))
      problems.push({ code: 'sale.short', message: shortText(ctx, [short]), line: short.line });
    return problems;
  }

  /** Sums by tax with their labels in the context's language, for pages and documents. */
  async taxShares(id: Id): Promise<TaxShare[]> {
    const { tax_sums } = await this.get(id, { select: { tax_sums: true } });
    const sums = tax_sums ?? [];
    const labels = await taxLabels(
      this.ctx,
      sums.map(({ tax }) => tax),
    );
    return sums.map(({ tax, base, amount }) => ({ label: labels.get(tax) ?? '', base, amount }));
  }

  /** What extensions add to the order's document, under its terms: a signature. */
  async documentParts(_id: Id): Promise<PdfContent[]> {
    return [];
  }

  /** Sends quotations to their customers by mail. */
  async send(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#locked(id, ['draft', 'sent', 'sale', 'done']);
      if (order.order_line.length === 0)
        throw new InvalidInput('There is nothing on this quotation yet.', { code: 'sale.empty' });
      if (!order.invoice_email)
        throw new InvalidInput('Give the e-mail address of the customer first.', {
          code: 'sale.no_email',
          fields: { invoice_email: ctx.t('Give the e-mail address of the customer first.') },
        });
      if (order.state === 'draft')
        await ctx.model(SaleOrder).write(id, { state: 'sent', is_cart: false, name: await this.numberFor(order) });
      const kind = order.state === 'sale' || order.state === 'done' ? 'confirmed' : 'quotation';
      await ctx.jobs.enqueue(orderMail, { order: id, kind, again: ctx.now().getTime() });
    }
  }

  /**
   * Makes quotations orders: takes what is limited from stock, numbers them, tells the customer. Extensions add what else is to be done (registrations).
   *
   * @throws Conflict when something is no longer there, or the state does not allow it.
   */
  async confirm(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#locked(id, ['draft', 'sent']);
      if (order.order_line.length === 0)
        throw new InvalidInput('There is nothing on this order.', { code: 'sale.empty' });
      if (!order.invoice_name)
        throw new InvalidInput('Say first for whom this order is.', { code: 'sale.no_customer' });
      // What the lines need is taken for good, in place of what was held for them.
      const stock = ctx.get(Stock);
      const needs = await ctx.model(SaleOrderLine).needs(order.order_line);
      const short = await stock.shortages(needs, { order: id });
      if (short.length > 0)
        throw new Conflict('{reasons}', { code: 'sale.short', params: { reasons: shortText(ctx, short) } });
      await stock.take(needs);
      await stock.release([id]);
      await endPayments(ctx, id, ['draft']);
      await ctx.model(SaleOrder).write(id, {
        state: 'sale',
        name: await this.numberFor(order),
        is_cart: false,
        date_confirm: ctx.now(),
        blocked_reason: null,
      });
      if (order.invoice_email) await ctx.jobs.enqueue(orderMail, { order: id, kind: 'confirmed' });
    }
  }

  /**
   * Cancels orders, ends payments that are not done, and gives back what was held or taken. Of an order for which money came people say what becomes of
   * it: see `sale.cancellation`.
   */
  async cancel(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#locked(id, ['draft', 'sent', 'sale', 'cancel']);
      if (order.state === 'cancel') continue;
      if (!this.ctx.su && order.transaction_ids.some(({ amount_left }) => (amount_left ?? 0) > 0))
        throw new Conflict('Money came for this order. Press “Cancel paid order”, and say what becomes of it.', {
          code: 'sale.money_there',
        });
      const stock = ctx.get(Stock);
      if (order.state === 'sale') await stock.giveBack(await ctx.model(SaleOrderLine).needs(order.order_line));
      await stock.release([id]);
      await ctx.model(SaleOrder).write(id, { state: 'cancel', is_cart: false });
      await endPayments(ctx, id, ['draft', 'pending']);
    }
  }

  /** Makes cancelled or sent quotations editable again; a payment that was only begun is ended. */
  async reopen(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#locked(id, ['draft', 'sent', 'cancel']);
      if (order.state === 'draft') continue;
      const paid = await ctx.model('payment.transaction').count([
        ['sale_order_id', '=', id],
        ['state', 'in', ['pending', 'done']],
      ]);
      if (paid > 0)
        throw new Conflict('This order is paid for, or will be; it cannot be changed any more.', {
          code: 'sale.being_paid',
        });
      await endPayments(ctx, id, ['draft']);
      await ctx.model(SaleOrder).write(id, { state: 'draft', blocked_reason: null });
    }
  }

  /** Closes orders that were delivered. */
  async finish(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx } = await this.#locked(id, ['sale']);
      await ctx.model(SaleOrder).write(id, { state: 'done' });
    }
  }

  /** What a customer finds among their orders: what was ordered by them and the people below them. Extensions leave out what has a list of its own. */
  customerOrders(partner: Id): RawDomain {
    return [
      ['partner_id', 'child_of', partner],
      ['is_cart', '=', false],
      ['state', '!=', 'draft'],
    ];
  }

  /** The number of an order, a new one unless it has one; numbers follow each other without a gap. */
  async numberFor({ name }: { readonly name: string | null }): Promise<string> {
    return name ?? (await this.ctx.sudo().model(Sequence).next(orderSequence)); // Everybody whose order needs a number gets one.
  }

  /** The customer has shown that the order's address is theirs: what it needs is kept for as long as a transfer takes. Needs rights lifted. */
  async confirmAddress(id: Id): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    const row = await this.get(id, { select: { invoice_email: true, state: true, payment_state: true } });
    const transfers = this.ctx.get(Transfers);
    if (row.state !== 'sent' || row.payment_state !== 'pending' || (await transfers.isAddressConfirmed(id))) return;
    await this.write(id, { confirmed_email: row.invoice_email });
    await transfers.keep(id);
  }

  /** A context with rights lifted, for whoever may write the order. */
  async #withRights(id: Id): Promise<Ctx> {
    if (!this.ctx.su && (await this.allowed([id], 'write')).length === 0)
      throw new NotFound('There is no such order.', { code: 'sale.no_order' });
    return this.ctx.sudo(); // The right to write the order was looked at; payments, stock and numbers follow from it.
  }

  /**
   * The order under its lock, with rights lifted, for whoever may write it. All that decides on an order's state locks it first, so of two at once the
   * second sees what the first has done.
   *
   * @throws Conflict when it is in another state than these
   */
  async #locked(id: Id, states: readonly OrderState[]) {
    const ctx = await this.#withRights(id);
    await ctx.lock(SaleOrder, [id]);
    const order = await ctx.model(SaleOrder).get(id, {
      select: {
        state: true,
        name: true,
        is_cart: true,
        order_line: true,
        invoice_name: true,
        invoice_email: true,
        transaction_ids: { amount_left: true },
      },
    });
    if (!states.includes(order.state))
      throw new Conflict('The state of the order does not allow this any more.', { code: 'sale.wrong_state' });
    return { ctx, order };
  }

  /** @throws Conflict when an order is no open quotation, or is being paid */
  async #refuseUnlessEditable({ id, state }: { readonly id: Id; readonly state: string }): Promise<void> {
    if (state === 'draft') return;
    if (state !== 'sent') throw notOpen();
    const paying = await this.ctx
      .sudo() // Whether it is being paid holds for everybody.
      .model('payment.transaction')
      .count([
        ['sale_order_id', '=', id],
        ['state', 'in', ['draft', 'pending']],
      ]);
    if (paying > 0) throw beingPaid();
  }

  /** Money that came counts in the currency it came in, so an order keeps that. Needs rights lifted. */
  async #refuseOtherCurrency(ids: Ids, currency: Id): Promise<void> {
    const changing = await this.search([
      ['id', 'in', ids],
      ['currency_id', '!=', currency],
    ]);
    if (changing.length === 0) return;
    await this.ctx.lock(SaleOrder, changing);
    const rows = await this.read(changing, {
      select: { currency_id: true, transaction_ids: { state: true, currency_id: true } },
    });
    const paid = rows.find(({ currency_id, transaction_ids }) =>
      transaction_ids.some((payment) => payment.state === 'done' && payment.currency_id === currency_id),
    );
    if (!paid) return;
    const { name } = await this.ctx.model(Currency).get(paid.currency_id, { select: { name: true } });
    const message = this.ctx.t('Money came for this order in {currency}: choose a pricelist in this currency.', {
      currency: name,
    });
    throw new Conflict(message, { code: 'sale.paid_in_currency', fields: { pricelist_id: message } });
  }

  /** Whose customer becomes another one. */
  async #newCustomer(ids: Ids, { partner_id }: OrderValues): Promise<'of a cart' | 'of a quotation' | null> {
    if (typeof partner_id !== 'number') return null;
    const rows = await this.find(
      [['id', 'in', ids], '|', ['partner_id', '=', null], ['partner_id', '!=', partner_id]],
      {
        select: { is_cart: true },
      },
    );
    if (rows.length === 0) return null;
    return rows.some(({ is_cart }) => is_cart) ? 'of a cart' : 'of a quotation';
  }

  /**
   * Keeps in mind what the lines of quotations have of the shop's offer, because its terms are going to change: that follows. What was agreed on by hand stays;
   * so does what is given along. Carts are worked out anew by whoever changes their terms.
   */
  async #noteFollowing(ids: Ids, values: OrderValues): Promise<void> {
    const orders = this.ctx.sudo().model(SaleOrder); // What the shop asks is no secret of whoever may write the order.
    for (const order of await orders.read(ids, { select: { ...termColumns, is_cart: true } })) {
      const changes = termNames.some((name) => name in values && (values[name] ?? null) !== order[name]);
      if (order.is_cart || !changes) continue;
      const given = typedLines(values.order_line);
      const offers = (await orders.#currentOffers(order.id)).filter(({ id }) => !given.has(id));
      this.#following.set(
        order.id,
        new Map(offers.flatMap((line) => (line.offer ? [[line.id, sharedWith(line, line.offer)] as const] : []))),
      );
    }
  }

  /** Gives lines that had the shop's offer the one under the new terms. */
  async #follow(id: Id): Promise<void> {
    const following = this.#following.get(id);
    if (!following) return;
    this.#following.delete(id);
    const orders = this.ctx.sudo().model(SaleOrder); // As above.
    const offers = (await orders.#currentOffers(id)).flatMap(({ offer, ...line }) => {
      const shared = following.get(line.id);
      return offer && shared ? [{ line, offer, shared }] : [];
    });
    const taxed = offers.filter(({ line, offer, shared }) => shared.taxes && !sameTaxes(offer.tax_id, line.tax_id));
    // Most lines have the same taxes: links are changed for all of them at once.
    for (const group of Map.groupBy(taxed, ({ offer }) => offer.tax_id.join()).values()) {
      const lines = group.map(({ line }) => line.id);
      await orders.ctx.model(SaleOrderLine).write(lines, { tax_id: [{ set: group[0]?.offer.tax_id ?? [] }] });
    }
    const changes = offers.flatMap(({ line, offer, shared }) => {
      const { name, price_unit, price_list } = offer;
      const values = {
        ...(shared.price && !sameNumber(price_unit, line.price_unit) ? { price_unit, price_list } : {}),
        ...(shared.text && name !== line.name ? { name } : {}),
      };
      return Object.keys(values).length > 0 ? [{ update: line.id, values }] : [];
    });
    if (changes.length > 0) await orders.write(id, { order_line: changes });
  }

  /** What the shop asks now for the lines of an order that have a product; null where it no longer sells it. */
  async #currentOffers(id: Id): Promise<LineOffer[]> {
    const order = await this.get(id, {
      select: {
        ...termColumns,
        order_line: { name: true, product_id: true, product_uom_qty: true, price_unit: true, tax_id: true },
      },
    });
    const lines = order.order_line.flatMap(({ product_id, ...line }) =>
      product_id === null ? [] : [{ ...line, product: product_id }],
    );
    const offers = await this.ctx.model(SaleOrderLine).offers(
      termsFrom(order),
      lines.map((line) => ({ line: line.id, product: line.product, quantity: line.product_uom_qty })),
    );
    return lines.map((line, place) => ({ ...line, offer: offers[place] ?? null }));
  }

  /** The line a request means; null for a new one. @throws NotFound for a line that is not of this order and product */
  async #lineOf(lines: readonly LineRow[], request: LineRequest): Promise<LineRow | null> {
    const ofProduct = lines.filter(({ product_id }) => product_id === request.product);
    if (request.line) {
      const meant = ofProduct.find(({ id }) => id === request.line);
      if (!meant) throw new NotFound('There is no such line.', { code: 'sale.no_line' });
      return meant;
    }
    if (ofProduct.length === 0) return null;
    const id = await this.ctx.model(SaleOrderLine).sameLine(
      ofProduct.map((line) => line.id),
      request,
    );
    return ofProduct.find((line) => line.id === id) ?? null;
  }

  /** The line with its quantity and the price for it. */
  async #writeLine({ id, terms, line, taxes, request, quantity }: WantedLine): Promise<Id> {
    const lines = this.ctx.model(SaleOrderLine);
    const { product, extra } = request;
    const buyable = await this.ctx.model(ProductProduct).buyable([product]);
    const asked = { product, quantity: String(quantity), extra, ...(line === null ? {} : { line }) };
    const [offer] = buyable.has(product) ? await lines.offers(terms, [asked]) : [];
    if (!offer) throw new Conflict('This product is no longer sold.', { code: 'sale.not_sold' });
    const values = { product_uom_qty: String(quantity), ...offer };
    if (line === null) return lines.create({ ...extra, ...values, order_id: id, product_id: product });
    const { name: _, tax_id, ...changes } = values;
    await lines.write(line, sameTaxes(tax_id, taxes) ? changes : { ...changes, tax_id: [{ set: tax_id }] });
    return line;
  }

  /** Holds what the line needs; where there is too little, the line gets what is left. What is `there` was found to be, under its lock. */
  async #holdLine(wanted: WantedLine & { readonly line: Id }, there: readonly Need[]): Promise<LineAnswer> {
    const { id, line, quantity } = wanted;
    const lines = this.ctx.model(SaleOrderLine);
    const needs = await lines.needs([line]);
    if (needs.length === 0) return { line, quantity };
    const stock = this.ctx.get(Stock);
    const until = await cartUntil(this.ctx);
    const isDecided = needs.every((need) => there.some((one) => isSameNeed(one, need)));
    if (isDecided) await stock.keep(id, needs, until);
    const short = isDecided ? [] : await stock.hold(id, needs, until);
    if (short.length === 0) return { line, quantity };
    const left = Math.min(...short.map((one) => one.left));
    const warning = shortText(this.ctx, short);
    if (left <= 0) {
      await lines.unlink(line);
      return { line: null, quantity: 0, warning };
    }
    await this.#writeLine({ ...wanted, quantity: left });
    await stock.hold(id, await lines.needs([line]), until);
    return { line, quantity: left, warning };
  }

  /** Holds what a line of a cart needs; false where there is too little. */
  async #holdForCart(order: Id, line: Id): Promise<boolean> {
    const needs = await this.ctx.model(SaleOrderLine).needs([line]);
    return (await this.ctx.get(Stock).hold(order, needs, await cartUntil(this.ctx))).length === 0;
  }
}

/** A line and what the shop asks for it now. */
interface LineOffer {
  readonly id: Id;
  readonly name: string;
  readonly price_unit: string;
  readonly tax_id: Ids;
  readonly offer: Offer | null;
}

/** What of a line is as the shop offers it. */
interface Shared {
  readonly price: boolean;
  readonly taxes: boolean;
  readonly text: boolean;
}

function sharedWith(line: Omit<LineOffer, 'offer'>, offer: Offer): Shared {
  return {
    price: sameNumber(offer.price_unit, line.price_unit),
    taxes: sameTaxes(offer.tax_id, line.tax_id),
    text: offer.name === line.name,
  };
}

/** Lines that are given a price or another product. */
function typedLines(commands: OrderValues['order_line']): ReadonlySet<Id> {
  const updates = (Array.isArray(commands) ? commands : []).flatMap((command) =>
    typeof command === 'object' && 'update' in command ? [command] : [],
  );
  const typed = updates.filter(({ values }) => 'price_unit' in values || 'product_id' in values);
  return new Set(typed.map(({ update }) => update));
}

interface LineRow {
  readonly id: Id;
  readonly product_id: Id | null;
  readonly product_uom_qty: string;
  readonly tax_id: Ids;
}

/** What is to be written of a request. */
interface WantedLine {
  readonly id: Id;
  readonly terms: OrderTerms;
  readonly line: Id | null;
  /** Those the line has. */
  readonly taxes: Ids;
  readonly request: LineRequest;
  readonly quantity: number;
}

/** What is read of an order for its terms. */
const termColumns = {
  pricelist_id: true,
  currency_id: true,
  fiscal_position: true,
  lang: true,
  partner_id: true,
} as const;

const termNames = ['pricelist_id', 'currency_id', 'fiscal_position', 'lang', 'partner_id'] as const;

function termsFrom(order: {
  readonly pricelist_id: Id | null;
  readonly currency_id: Id;
  readonly fiscal_position: Id | null;
  readonly lang: string | null;
  readonly partner_id: Id | null;
}): OrderTerms {
  return {
    pricelist: order.pricelist_id,
    currency: order.currency_id,
    fiscalPosition: order.fiscal_position,
    lang: order.lang,
    partner: order.partner_id,
  };
}

/** Whether a line still costs what the shop asks now. */
function isSameOffer({ price_unit, tax_id, offer }: LineOffer): boolean {
  return offer !== null && sameNumber(offer.price_unit, price_unit) && sameTaxes(offer.tax_id, tax_id);
}

function sameNumber(one: Decimal, other: Decimal): boolean {
  return decimal(one).eq(other);
}

function sameTaxes(some: Ids, others: Ids): boolean {
  return some.length === others.length && some.every((tax) => others.includes(tax));
}

/** Ends payments of an order that are in one of the states. */
async function endPayments(ctx: Ctx, order: Id, states: readonly ('draft' | 'pending')[]): Promise<void> {
  const payments = ctx.model('payment.transaction');
  const open = await payments.search([
    ['sale_order_id', '=', order],
    ['state', 'in', states],
  ]);
  await payments.advance(open, { state: 'cancel', keepOrder: true });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
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

declare module '#core' {
  interface Models {
    'sale.order': SaleOrder;
  }
}
