import { Currency, Sequence } from '@pergola/base';
import { Followers, lastDeliveries, type MessageRecipient } from '@pergola/mail';
import {
  app,
  Conflict,
  type Ctx,
  decimal,
  type FieldsOf,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  type Minor,
  model,
  NotFound,
  type RawDomain,
  type Values,
} from 'pergola';
import { checkVatNumber } from '../jobs/check-vat-number.ts';
import { orderMail } from '../jobs/order-mail.ts';
import { currencies } from '../services/currencies.ts';
import type { PdfContent } from '../services/documents/pdf.ts';
import { type AddressInput, addressFields } from '../services/orders/addresses.ts';
import { changeColumns, lineColumns, moneyColumns, termColumns } from '../services/orders/columns.ts';
import { currentOffers } from '../services/orders/current-offers.ts';
import { cartUntil } from '../services/orders/expiry.ts';
import { beingPaid, notOpen } from '../services/orders/frozen.ts';
import {
  cutText,
  isSameNeed,
  type LineAnswer,
  type LineRequest,
  MOST_PIECES,
  shortText,
  wantedQuantity,
} from '../services/orders/line-request.ts';
import { type MatchingLines, matchingLines, updateMatchingLines } from '../services/orders/matching-lines.ts';
import { type Offer, type OrderTerms, sameTaxes } from '../services/orders/offer.ts';
import { contentVersion, isSameOrder, type OrderContent } from '../services/orders/order-content.ts';
import { OrderDefaults, orderSequence } from '../services/orders/order-defaults.ts';
import { type PriceChanges, priceChanges } from '../services/orders/price-changes.ts';
import {
  blockNote,
  firstLine,
  holdsForMoney,
  isOpen,
  type OrderProblem,
  orderProblems,
} from '../services/orders/problems.ts';
import { readContent } from '../services/orders/read-content.ts';
import { type OrderAmounts, orderTotals, taxRounding } from '../services/orders/totals.ts';
import { moneyHistory } from '../services/payment/money-history.ts';
import { type OrderPayments, orderPayments } from '../services/payment/order-payments.ts';
import { Transfers } from '../services/payment/transfers.ts';
import type { Need } from '../services/stock/limited-resources.ts';
import { cartNetwork } from '../services/stock/network.ts';
import { Stock } from '../services/stock/stock.ts';
import { taxLabels } from '../services/tax/tax-rules.ts';
import { t } from '../texts.ts';
import { ProductProduct } from './product-product.ts';
import { orderFields } from './sale-order-fields.ts';
import { SaleOrderLine } from './sale-order-line.ts';

/** Sums of one tax over an order, for documents. */
export interface TaxShare {
  readonly label: string;
  readonly base: Minor;
  readonly amount: Minor;
}

type OrderValues = Values<FieldsOf<SaleOrder>>;
/** Why a paid order needs review. */
export type BlockedReason = 'cancelled' | 'changed' | 'short' | 'twice' | 'invalid';
type OrderState = 'draft' | 'sent' | 'sale' | 'done' | 'cancel';

/** Maximum number of lines; real customers need fewer. */
const MAX_LINES = 300;

/**
 * A cart or quotation that becomes an order. Copies its addresses, so later changes to a contact don't affect it.
 *
 * ```
 * draft ─▶ sent ─▶ sale ─▶ done
 *   ▲       │ │     │
 *   └─reopen┘ └─────┴──▶ cancel ─▶ draft (quotations)
 * ```
 */
export class SaleOrder extends model('sale.order', orderFields, {
  order: 'date_order desc, id desc',
  label: 'Sales order',
  mixins: [Followers],
  indexes: [
    ['is_cart', 'state', 'write_date'],
    ['partner_id', 'state'],
    ['payment_state', 'state'],
    // Sales by date. Leaves out the total: changing unindexed columns of a cart doesn't need a look at other rows.
    ['date_confirm', 'state', 'currency_id'],
  ],
}) {
  /** Lines that follow a change of terms, by order; see `#noteMatchingLines`. */
  readonly #matchingLines = new Map<Id, MatchingLines>();
  /** Carts whose terms are being written; their lines are repriced afterwards. */
  readonly #changedCarts = new Set<Id>();

  /** Fills in the selling company and the salesperson on new forms. */
  override async defaults(names: readonly (keyof FieldsOf<SaleOrder> & string)[]): Promise<OrderValues> {
    const seller: OrderValues = {
      ...(names.includes('company_id')
        ? { company_id: await this.ctx.sudo().get(OrderDefaults).mainCompany() } // The selling company is public.
        : {}),
      ...(names.includes('user_id') ? { user_id: this.ctx.user.id } : {}),
    };
    return { ...seller, ...(await super.defaults(names)) };
  }

  override async beforeCreate(values: readonly OrderValues[]): Promise<readonly OrderValues[]> {
    const defaults = this.ctx.sudo().get(OrderDefaults); // The defaults of a customer apply for everyone who may create an order.
    const complete: OrderValues[] = [];
    for (const value of values) complete.push(await defaults.forNew(value));
    return super.beforeCreate(complete);
  }

  override async beforeWrite(ids: Ids, values: OrderValues): Promise<OrderValues> {
    const system = this.ctx.sudo(); // The defaults of a customer and a pricelist apply for everyone who may write the order.
    const newCustomer = await system.model(SaleOrder).#newCustomer(ids, values);
    const changes = await system.get(OrderDefaults).forChange(values, newCustomer);
    const complete = { ...changes, ...(await system.model(SaleOrder).#taxChanges(ids, changes, newCustomer !== null)) };
    if (typeof complete.currency_id === 'number')
      await system.model(SaleOrder).#refuseOtherCurrency(ids, complete.currency_id);
    if ([...termNames, ...serviceNames].some((name) => name in complete)) await this.#noteMatchingLines(ids, complete);
    return super.beforeWrite(ids, complete);
  }

  override async afterWrite(ids: Ids, values: OrderValues): Promise<void> {
    await super.afterWrite(ids, values);
    for (const id of ids) {
      const following = this.#matchingLines.get(id);
      this.#matchingLines.delete(id);
      // Elevated rights, as in `#noteMatchingLines`.
      if (following) await updateMatchingLines(this.ctx.sudo(), id, following);
      if (this.#changedCarts.delete(id)) await this.reprice([id]);
      await this.#checkTaxNumber(id, values);
    }
  }

  override async afterCreate(ids: Ids, values: readonly OrderValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    for (const [index, id] of ids.entries()) await this.#checkTaxNumber(id, values[index] ?? {});
  }

  /** Writes orders one by one if taxes may change, since they depend on each order's address. */
  override async write(idOrIds: Id | Ids, values: OrderValues): Promise<void> {
    if (typeof idOrIds === 'number' || idOrIds.length < 2 || !taxNames.some((name) => name in values))
      return super.write(idOrIds, values);
    for (const id of idOrIds) await this.write(id, values);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    const orders = this.ctx.sudo().model(SaleOrder); // The state decides, even if the caller can't read it.
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
            ? t(this.ctx, 'Cart {reference}', { reference: id })
            : t(this.ctx, 'Quotation {reference}', { reference: id })),
      ]),
    );
  }

  /** Calculates totals, sums by tax and number of pieces from the lines. */
  async computeAmounts(ids: Ids): Promise<Map<Id, OrderAmounts>> {
    const rows = await this.read(ids, {
      select: {
        currency_id: true,
        company_id: true,
        order_line: {
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
    const currencyById = await currencies.get(
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
          currency: currencyById.get(currency_id) ?? { digits: 2 },
          roundsGlobally: methods.get(company_id) === 'round_globally',
        }),
      ]),
    );
  }

  async computeVersion(ids: Ids): Promise<Map<Id, string>> {
    const orders = this.ctx.sudo().model('sale.order'); // The caller may read the order; its version reveals nothing else.
    const versions = new Map<Id, string>();
    for (const id of ids) versions.set(id, contentVersion(await orders.content(id)));
    return versions;
  }

  /**
   * Returns everything the customer sees and agrees to by paying or signing, in the context's language. Pages carry it as a token
   * (`contentToken`), consent refers to it, and payments and signatures store it. Extensions add their parts. Needs elevated rights.
   */
  async content(id: Id): Promise<OrderContent> {
    return readContent(this.ctx, id);
  }

  /**
   * Returns the content the customer agreed to with their latest payment; extensions add other kinds of consent. Documents print it
   * regardless of the current names of taxes, units, notes and the company. Null if there is no consent, or if staff changed the order
   * since. Needs elevated rights.
   */
  async agreedContent(id: Id): Promise<OrderContent | null> {
    const payments = await this.ctx.model('payment.transaction').find(
      [
        ['sale_order_id', '=', id],
        ['sale_order_id.state', '!=', 'draft'],
        ['state', 'in', ['pending', 'done']],
      ],
      { select: { content: true }, order: 'id desc' },
    );
    const content = payments.find((payment) => payment.content !== null)?.content ?? null;
    return content && isSameOrder(content, await this.contentToStore(id)) ? content : null;
  }

  /** Returns the content for storing with consent: in the order's language and the customer's time zone. Needs elevated rights. */
  async contentToStore(id: Id): Promise<OrderContent> {
    const { lang } = await this.get(id, { select: { lang: true } });
    const timezone = await this.zoneOf(id);
    return this.ctx
      .as({ lang: lang ?? this.ctx.lang, timezone })
      .model('sale.order')
      .content(id);
  }

  /** Calculates paid, refunded and due amounts, and the payment state. */
  async computePayments(ids: Ids): Promise<Map<Id, OrderPayments>> {
    const rows = await this.read(ids, {
      select: moneyColumns,
    });
    return new Map(
      rows.map(({ id, state, amount_total, currency_id, transaction_ids }) => {
        const payments = transaction_ids.filter((payment) => payment.currency_id === currency_id);
        const refunds = payments.flatMap(({ refund_ids }) => refund_ids);
        const money = { total: amount_total ?? 0, isCancelled: state === 'cancel', payments, refunds };
        return [id, orderPayments(money)];
      }),
    );
  }

  /** Amount to refund: the remaining payments minus the deliverable lines. A cancelled order delivers nothing. */
  async computeOwed(ids: Ids): Promise<Map<Id, Minor>> {
    const rows = await this.read(ids, {
      select: {
        state: true,
        amount_total: true,
        currency_id: true,
        void_lines: true,
        order_line: { price_total: true },
        transaction_ids: { amount_left: true, currency_id: true },
      },
    });
    return new Map(
      rows.map(({ id, state, amount_total, currency_id, order_line, transaction_ids, void_lines }) => {
        const remaining = transaction_ids
          .filter((payment) => payment.currency_id === currency_id)
          .reduce((sum, { amount_left }) => sum + (amount_left ?? 0), 0);
        const voidRows = order_line.filter((line) => void_lines?.includes(line.id));
        const isVoid = state === 'cancel' || (order_line.length > 0 && voidRows.length === order_line.length);
        const voidTotal = voidRows.reduce((sum, { price_total }) => sum + (price_total ?? 0), 0);
        return [id, Math.max(0, remaining - (isVoid ? 0 : (amount_total ?? 0) - voidTotal))];
      }),
    );
  }

  /** Lists all payments, attempts and refunds of orders, as a table for the form. */
  async computeHistory(ids: Ids): Promise<Map<Id, object>> {
    const system = this.ctx.sudo(); // Readers of the order may see who paid it.
    const formats = this.ctx.get(app.formats);
    const columns = [
      { label: t(this.ctx, 'Reference') },
      { label: t(this.ctx, 'Type') },
      { label: t(this.ctx, 'Date') },
      { label: t(this.ctx, 'By') },
      { label: t(this.ctx, 'Method') },
      { label: t(this.ctx, 'Status') },
      { label: t(this.ctx, 'Payment reference') },
      { label: t(this.ctx, 'Amount'), isNumber: true },
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

  /** Time zone of an order's documents and emails for every reader: the customer's, or else the site's, or else the company's. */
  async zoneOf(id: Id): Promise<string> {
    const { partner_id, company_id } = await this.ctx
      .sudo() // Reading the order includes seeing its times.
      .model(SaleOrder)
      .get(id, { select: { partner_id: { tz: true }, company_id: { partner_id: { tz: true } } } });
    return partner_id?.tz ?? (await this.siteZoneOf(id)) ?? company_id?.partner_id?.tz ?? this.ctx.siteTimezone;
  }

  /** Returns the time zone of an order's site, or null. Overridden by addons with sites. */
  async siteZoneOf(_id: Id): Promise<string | null> {
    return null;
  }

  /** Returns the terms that determine the prices of an order's lines. */
  async termsOf(id: Id): Promise<OrderTerms> {
    return this.ctx.get(OrderDefaults).termsOf(await this.get(id, { select: termColumns }));
  }

  /** Creates a cart for a visitor with known values (`partner_id`, `pricelist_id`, `lang`). It gets a number when it is paid. */
  async openCart(values: OrderValues = {}): Promise<Id> {
    return this.create({ ...values, is_cart: true, network: cartNetwork(this.ctx) });
  }

  /**
   * Sets the quantity of a product on an order at the shop's current prices, and holds limited items. Requests use `set` (repeating the
   * call changes nothing) or `add`. Doesn't fail if stock is short: puts in fewer, and explains it in `warning`.
   *
   * @throws Conflict while the order is being paid, or if it is no longer a quotation; NotFound for a line of another order
   */
  async setLine(id: Id, request: LineRequest): Promise<LineAnswer> {
    // Elevated rights: users who may change the order need not be able to read its prices, taxes and stock.
    const ctx = await this.#elevatedCtx(id);
    const stock = ctx.get(Stock);
    const lines = ctx.model(SaleOrderLine);
    const orders = ctx.model(SaleOrder);
    await ctx.lock(SaleOrder, [id]);
    const order = await orders.get(id, { select: changeColumns });
    await orders.#refuseUnlessEditable(order);
    const line = await orders.#lineOf(order.order_line, request);
    const currentQuantity = decimal(line?.product_uom_qty ?? '0').toNumber();
    const { quantity: newQuantity, cut } = wantedQuantity(request, currentQuantity);
    const warned = (answer: LineAnswer): LineAnswer =>
      answer.warning === undefined && cut !== null ? { ...answer, warning: cutText(ctx, cut), cut } : answer;
    if (newQuantity <= 0) {
      if (line) await lines.unlink(line.id);
      return warned({ line: null, quantity: 0 });
    }
    if (!line && order.order_line.length >= MAX_LINES)
      throw new InvalidInput('An order can have up to {most} lines.', {
        code: 'sale.too_many_lines',
        params: { most: MAX_LINES },
      });
    const needs = await lines.wants(request, newQuantity, line?.id ?? null);
    // Prevents a single network from blocking seats and stock with anonymous carts; signed-in customers have one cart each.
    const isBounded = needs.length > 0 && newQuantity > currentQuantity && order.partner_id === null;
    const [mayHold, short] = await Promise.all([
      !isBounded || stock.mayHold(order, needs),
      stock.shortages(needs, { order: id }),
    ]);
    if (!mayHold) {
      const warning = t(
        ctx,
        'Visitors on your network can’t reserve any more without signing in. Choose fewer, sign in, or try again in a few minutes.',
      );
      return { line: line?.id ?? null, quantity: currentQuantity, warning };
    }
    if (!line && short.some(({ left: free }) => free <= 0))
      return { line: null, quantity: 0, warning: shortText(ctx, short) };
    const requestedLine = {
      id,
      terms: await ctx.get(OrderDefaults).termsOf(order),
      taxes: line?.tax_id ?? [],
      // Staff may describe quotation lines in their own words.
      text: order.is_cart ? (line?.name ?? null) : null,
      request,
      quantity: newQuantity,
    };
    const lineId = await orders.#writeLine({ ...requestedLine, line: line?.id ?? null });
    return warned(await orders.#holdLine({ ...requestedLine, line: lineId }, short.length === 0 ? needs : []));
  }

  /**
   * Updates orders to the shop's current prices and taxes. Carts take over the whole offer, including texts. Quotations keep prices,
   * discounts, taxes and texts that were set by hand; `updatePrices` changes those as well. Keeps lines whose product is no longer sold.
   *
   * @throws Conflict if an order is no longer a cart or quotation, or is being paid
   */
  async reprice(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { orders, isCart } = await this.#lockedForPrices(id);
      if (!isCart) {
        await orders.#writePrices(await orders.#priceChanges(id, null));
        continue;
      }
      for (const line of await currentOffers(orders.ctx, id)) {
        if (!line.offer) continue;
        const { tax_id, ...values } = line.offer;
        await orders.ctx.model(SaleOrderLine).write(line.id, { ...values, tax_id: [{ set: tax_id }] });
        if (values.name !== line.name) await orders.ctx.model(SaleOrderLine).renewed([line.id]);
      }
    }
  }

  /**
   * Compares a quotation's lines with the shop's current prices and taxes, without changing them. `selected` are the lines to count in the
   * new total; by default all whose price, discount and taxes weren't set by hand.
   *
   * @returns the changes, the totals before and after, and the version to pass to `updatePrices`
   * @throws NotFound unless the caller may write the order
   */
  async priceChanges(ids: Ids, { selected = null }: { selected?: Ids | null } = {}): Promise<PriceChanges> {
    const [id = 0] = ids;
    const ctx = await this.#elevatedCtx(id);
    return (await ctx.model(SaleOrder).#priceChanges(id, selected)).review;
  }

  /**
   * Sets the selected lines of a quotation to the shop's current price and taxes, and removes their discount. `version` comes from
   * `priceChanges`.
   *
   * @throws Conflict if the order or the shop's prices have changed since, or the order is no longer a quotation or is being paid
   */
  async updatePrices(ids: Ids, { version, selected }: { version: string; selected: Ids }): Promise<void> {
    const [id = 0] = ids;
    const { orders } = await this.#lockedForPrices(id);
    const changes = await orders.#priceChanges(id, selected);
    if (changes.review.version !== version)
      throw new Conflict('The order or its prices have changed. Check the new prices.', {
        code: 'sale.prices_changed',
      });
    await orders.#writePrices(changes);
  }

  /** Locks an order whose prices may change. @throws Conflict if they may not */
  async #lockedForPrices(id: Id): Promise<{ orders: SaleOrder; isCart: boolean }> {
    const ctx = await this.#elevatedCtx(id); // Users may reprice lines without the right to read the shop's price rules.
    const orders = ctx.model(SaleOrder);
    await ctx.lock(SaleOrder, [id]);
    const { is_cart, ...order } = await orders.get(id, { select: { state: true, is_cart: true } });
    await orders.#refuseUnlessEditable(order);
    return { orders, isCart: is_cart };
  }

  async #priceChanges(id: Id, selected: Ids | null): Promise<OfferedChanges> {
    const order = await this.get(id, {
      select: {
        version: true,
        currency_id: true,
        company_id: true,
        amount_total: true,
        order_line: { ...lineColumns, last_offer: true },
      },
    });
    const offers = new Map(
      (await currentOffers(this.ctx, id)).flatMap(({ id: line, offer }) => (offer ? [[line, offer] as const] : [])),
    );
    return { offers, review: await priceChanges(this.ctx, order, offers, selected) };
  }

  async #writePrices({ offers, review }: OfferedChanges): Promise<void> {
    for (const { line, selected } of review.changes) {
      const offer = selected && offers.get(line);
      if (!offer) continue;
      const { price_unit, price_list, tax_id, last_offer } = offer;
      await this.ctx.model(SaleOrderLine).write(line, {
        price_unit,
        price_list,
        discount: '0',
        tax_id: [{ set: tax_id }],
        last_offer,
      });
    }
  }

  /** Sets another pricelist, with its currency, and updates prices. */
  async setPricelist(id: Id, pricelist: Id | null): Promise<void> {
    await this.write(id, { pricelist_id: pricelist });
    await this.reprice([id]);
  }

  /** Copies an address typed by a customer to the order, and updates fiscal position and taxes. Changes no contact. */
  async setAddress(id: Id, { billing, shipping = null }: AddressInput): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    await this.#refuseUnlessEditable(await this.get(id, { select: { state: true } }));
    await this.write(id, addressFields(billing, shipping));
  }

  /**
   * Applies the EU register's result for the tax number of an order. Updates the taxes of carts and drafts whose fiscal position is
   * automatic. Sent or agreed orders keep their taxes, and show the result to staff.
   *
   * @returns the state of the number afterwards
   */
  async renewTaxNumber(id: Id): Promise<string | null> {
    await this.ctx.lock(SaleOrder, [id]);
    const defaults = this.ctx.get(OrderDefaults);
    const order = await this.get(id, {
      select: { ...taxColumns, is_cart: true, state: true, fiscal_position: true, invoice_vat_state: true },
    });
    if (order.invoice_vat_state !== 'unverified') return order.invoice_vat_state;
    const { fiscal_position, ...status } = await defaults.taxesOf(order);
    if (status.invoice_vat_state === 'unverified') return 'unverified';
    const follows =
      order.state === 'draft' &&
      (order.is_cart || order.fiscal_position === (await defaults.unverifiedPosition(order)));
    await this.write(id, {
      ...status,
      ...(follows && fiscal_position !== order.fiscal_position ? { fiscal_position } : {}),
    });
    return status.invoice_vat_state;
  }

  /**
   * Merges the lines of one cart into another and deletes the first, adding up the quantities of equal lines. If stock is short for the
   * sum, the target's line keeps its quantity.
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
      const matchId =
        candidates.length === 0 || line.product_id === null
          ? null
          : await lines.sameLine(
              candidates.map((candidate) => candidate.id),
              { product: line.product_id, extra: await lines.extraOf(line.id) },
            );
      const match = candidates.find((candidate) => candidate.id === matchId);
      if (!match) {
        await lines.write(line.id, { order_id: into });
        continue;
      }
      const sum = decimal(line.product_uom_qty).plus(match.product_uom_qty);
      await lines.write(match.id, { product_uom_qty: (sum.gt(MOST_PIECES) ? decimal(MOST_PIECES) : sum).toString() });
      await lines.mergedInto(line.id, match.id);
      await lines.unlink(line.id);
      if (await this.#holdForCart(into, match.id)) continue;
      await lines.write(match.id, { product_uom_qty: match.product_uom_qty });
      await this.#holdForCart(into, match.id);
    }
    await this.unlink(from);
    // Moved lines hold their needs for the new order; checkout reports the ones that can't.
    const { order_line } = await this.get(into, { select: { order_line: true } });
    for (const line of order_line) await this.#holdForCart(into, line);
    await this.reprice([into]);
  }

  /** Empties a cart and releases its holds. */
  async clean(id: Id): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    const order = await this.get(id, { select: { state: true, order_line: true } });
    await this.#refuseUnlessEditable(order);
    if (order.order_line.length > 0) await this.ctx.model(SaleOrderLine).unlink(order.order_line);
  }

  /**
   * Lists why an order can't proceed, with messages for the customer: lines that are no longer sold, changed prices and descriptions,
   * expired pricelists, insufficient stock. Confirmed or cancelled orders have no such problems. Takes no locks: limited items are decided
   * when they are held.
   *
   * Called when a cart is shown and checked out, when seats are claimed, when a payment starts, when a payment arrives,
   * and for open orders when an item changes (`review`). Extensions add their problems and set the reach of each.
   */
  async problems(id: Id): Promise<OrderProblem[]> {
    await this.get(id, { select: { state: true } });
    return orderProblems(this.ctx.sudo(), id); // Customers may know why their order can't be paid.
  }

  /**
   * Reviews orders after an item changed or a payment arrived: marks undeliverable lines and flags the order for review with the reasons;
   * clears the flag once they are resolved. Skips carts and draft quotations, whose pages show the problems. Warns customers with a pending
   * payment not to pay. Requires elevated rights.
   */
  async review(ids: Ids): Promise<void> {
    await this.ctx.lock(SaleOrder, ids);
    const rows = await this.find([['id', 'in', ids]], {
      select: {
        state: true,
        is_cart: true,
        blocked_reason: true,
        blocked_note: true,
        amount_paid: true,
        invoice_email: true,
        transaction_ids: { state: true },
      },
    });
    for (const row of rows) {
      if (row.is_cart || row.state === 'draft' || row.state === 'cancel') continue;
      const problems = (await this.problems(row.id)).filter(holdsForMoney);
      await this.#markVoid(row.id, problems);
      if (problems.length > 0) {
        const note = blockNote(problems);
        if (row.blocked_reason !== null && row.blocked_note === note) continue;
        await this.write(row.id, { blocked_reason: row.blocked_reason ?? 'invalid', blocked_note: note });
        const isAwaited = row.transaction_ids.some(({ state }) => state === 'pending');
        if (isAwaited && !row.amount_paid && row.blocked_reason === null && row.invoice_email)
          await this.#notifyProblems(row.id);
      } else if (row.blocked_reason === 'invalid' && row.state === 'sent' && !row.amount_paid) {
        await this.write(row.id, { blocked_reason: null, blocked_note: null });
      }
    }
  }

  /**
   * Sets aside a paid order that can't be carried out as it is: nothing is delivered, and staff see the reasons. Requires elevated rights.
   *
   * @param note for staff, one reason per line; defaults to the order's problems
   */
  async block(id: Id, reason: BlockedReason, note: string | null = null): Promise<void> {
    const row = await this.get(id, { select: { name: true } });
    const problems = (await this.problems(id)).filter(holdsForMoney);
    if (reason === 'invalid') await this.#markVoid(id, problems);
    await this.write(id, {
      blocked_reason: reason,
      blocked_note: note ?? (problems.length > 0 ? blockNote(problems) : null),
      is_cart: false,
      name: await this.numberFor(row),
    });
  }

  /** Stores which lines can't be delivered. */
  async #markVoid(id: Id, problems: readonly OrderProblem[]): Promise<void> {
    const lines = [...new Set(problems.flatMap(({ line }) => line ?? []))].sort((a, b) => a - b);
    const { void_lines } = await this.get(id, { select: { void_lines: true } });
    if ((void_lines ?? []).join() !== lines.join())
      await this.write(id, { void_lines: lines.length > 0 ? lines : null });
  }

  /** Tells customers with a pending payment why they shouldn't pay yet. Extensions skip problems they report themselves. */
  async #notifyProblems(order: Id): Promise<void> {
    const requestedAt = this.ctx.now().getTime();
    await this.ctx.jobs.enqueue(orderMail, { order, kind: 'problem', again: requestedAt });
  }

  /**
   * Takes over the shop's current offer for lines that changed since the order, such as another date or place. Prices stay. For the
   * customer who has read the changes, and for staff. An awaited payment then refers to the updated order. Requires elevated rights.
   */
  async acceptChanges(id: Id): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    const { state, is_cart } = await this.get(id, { select: { state: true, is_cart: true } });
    if (!isOpen(state)) throw notOpen();
    // The terms of a cart whose payment failed weren't agreed yet, so it takes over prices as well.
    if (is_cart && state === 'draft') return this.reprice([id]);
    await this.renewTexts(id);
    await this.review([id]);
    const row = await this.get(id, { select: { blocked_reason: true, amount_paid: true, amount_open: true } });
    const isPaid = row.blocked_reason === 'invalid' && (row.amount_paid ?? 0) > 0 && (row.amount_open ?? 0) <= 0;
    if (isPaid && !(await this.problems(id)).some(holdsForMoney)) await this.confirm([id]);
  }

  /**
   * Updates the texts of lines whose item changed; announces an awaited transfer again. Requires elevated rights.
   *
   * @returns the changes, as described by `problems`; empty if nothing changed
   */
  async renewTexts(id: Id): Promise<readonly OrderProblem[]> {
    const renewed = (await this.problems(id)).filter((problem) => holdsForMoney(problem) && problem.remedy === 'renew');
    const lines = new Set(renewed.flatMap(({ line }) => line ?? []));
    if (lines.size === 0) return [];
    const offers = (await currentOffers(this.ctx, id)).filter((line) => lines.has(line.id));
    await this.#announceAgain(id, async () => {
      for (const { id: line, offer } of offers) {
        if (offer) await this.ctx.model(SaleOrderLine).write(line, { name: offer.name });
        await this.ctx.model(SaleOrderLine).renewed([line]);
      }
    });
    return renewed;
  }

  /**
   * Changes an order that awaits a transfer. The announced transfer referred to the old content, so it is cancelled and replaced by one for
   * the new amount due.
   *
   * @throws Conflict while a provider is processing a payment
   */
  async #announceAgain(id: Id, change: () => Promise<void>): Promise<void> {
    const payments = this.ctx.model('payment.transaction');
    const live = await payments.find(
      [
        ['sale_order_id', '=', id],
        ['state', 'in', ['draft', 'pending']],
      ],
      {
        select: {
          state: true,
          acquirer_id: { validation: true },
          partner_id: true,
          partner_name: true,
          partner_email: true,
          partner_lang: true,
        },
        order: 'id',
      },
    );
    const transfer = live.findLast(
      (payment) => payment.state === 'pending' && payment.acquirer_id?.validation === 'manual',
    );
    if (live.some((payment) => payment.state === 'pending' && payment.acquirer_id?.validation !== 'manual'))
      throw beingPaid();
    const message = t(this.ctx, 'The order has changed in the meantime.');
    for (const { id: payment } of live)
      await payments.advance([payment], { state: 'cancel', keepOrder: true, message });
    await change();
    const { name, currency_id, amount_open } = await this.get(id, {
      select: { name: true, currency_id: true, amount_open: true },
    });
    if (!transfer || (amount_open ?? 0) <= 0) return;
    const { id: _, state: _state, acquirer_id, ...customer } = transfer;
    const content = await this.contentToStore(id);
    await payments.create({
      ...customer,
      reference: await payments.freeReference(name ?? String(id)),
      sale_order_id: id,
      acquirer_id: acquirer_id?.id ?? null,
      amount: amount_open,
      currency_id,
      order_version: contentVersion(content),
      content,
      state: 'pending',
    });
  }

  /**
   * Removes undeliverable lines from orders. Confirms orders that are then fully paid; an overpayment becomes owed.
   *
   * @throws Conflict if no lines would remain: such an order must be cancelled
   */
  async removeVoid(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx } = await this.#lockOrder(id, ['draft', 'sent']);
      const orders = ctx.model(SaleOrder);
      await orders.review([id]);
      const { order_line, void_lines } = await orders.get(id, { select: { order_line: true, void_lines: true } });
      const voidLines = order_line.filter((line) => void_lines?.includes(line));
      if (voidLines.length === order_line.length)
        throw new Conflict('The order would be empty. Cancel it instead.', { code: 'sale.all_void' });
      await orders.#announceAgain(id, () => ctx.model(SaleOrderLine).unlink(voidLines));
      await orders.write(id, { blocked_reason: null, blocked_note: null, void_lines: null });
      const { amount_open, amount_paid, state, invoice_email } = await orders.get(id, {
        select: { amount_open: true, amount_paid: true, state: true, invoice_email: true },
      });
      if (state === 'sent' && amount_paid && (amount_open ?? 0) <= 0) await orders.confirm([id]);
      else if (state === 'sent' && invoice_email)
        await ctx.jobs.enqueue(orderMail, { order: id, kind: 'received', again: ctx.now().getTime() });
    }
  }

  /**
   * Refunds the owed amount. Cancels orders with nothing left to deliver and refunds them in full; otherwise refunds the undeliverable
   * lines.
   *
   * @throws NotAllowed unless the caller may refund
   */
  async refundOwed(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx } = await this.#lockOrder(id, ['draft', 'sent', 'sale', 'done', 'cancel']);
      const { amount_owed, state, order_line, void_lines, currency_id, transaction_ids, blocked_note } = await ctx
        .model(SaleOrder)
        .get(id, {
          select: {
            amount_owed: true,
            state: true,
            currency_id: true,
            blocked_note: true,
            order_line: true,
            void_lines: true,
            transaction_ids: { amount_left: true, currency_id: true },
          },
        });
      let owed = amount_owed ?? 0;
      if (owed <= 0) throw new Conflict('There’s nothing left to refund.', { code: 'sale.nothing_owed' });
      const reason = blocked_note === null ? null : firstLine(blocked_note).slice(0, 255);
      const isOver = state !== 'cancel' && state !== 'done' && order_line.every((line) => void_lines?.includes(line));
      if (isOver) {
        await this.ctx.model('sale.cancellation').create({ order_id: id, refund: true, reason });
        continue;
      }
      for (const payment of transaction_ids) {
        const amount = Math.min(owed, payment.currency_id === currency_id ? (payment.amount_left ?? 0) : 0);
        if (amount <= 0) continue;
        owed -= amount;
        await this.ctx
          .model('payment.refund')
          .create({ sale_order_id: id, transaction_id: payment.id, amount, reason });
      }
      // A confirmed order proceeds with the remaining lines.
      if (state === 'sale' || state === 'done')
        await ctx.model(SaleOrder).write(id, { blocked_reason: null, blocked_note: null });
    }
  }

  /**
   * Clears the review flag of confirmed orders. Extensions restore what they had undone (tickets).
   *
   * @throws Conflict with the reasons while an item can't be delivered
   */
  async resume(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx } = await this.#lockOrder(id, ['sale', 'done']);
      const orders = ctx.model(SaleOrder);
      await orders.#refuseFinal(id);
      await orders.write(id, { blocked_reason: null, blocked_note: null, void_lines: null });
    }
  }

  /** @throws Conflict with the problems that prevent confirmation */
  async #refuseFinal(id: Id): Promise<void> {
    const final = (await this.problems(id)).filter(({ reach }) => reach === 'final');
    if (final.length === 0) return;
    const reasons = final.map(({ message }) => message).join(' ');
    throw new Conflict('{reasons}', { code: final[0]?.code ?? 'sale.problem', params: { reasons } });
  }

  /** Returns sums by tax with their labels in the context's language, for pages and documents. */
  async taxShares(id: Id): Promise<TaxShare[]> {
    const { tax_sums } = await this.get(id, { select: { tax_sums: true } });
    const sums = tax_sums ?? [];
    const labels = await taxLabels(
      this.ctx,
      sums.map(({ tax }) => tax),
    );
    return sums.map(({ tax, base, amount }) => ({ label: labels.get(tax) ?? '', base, amount }));
  }

  /** Sections that extensions add to the order's document below its terms, such as a signature. */
  async documentParts(_id: Id): Promise<PdfContent[]> {
    return [];
  }

  /** Sends quotations to their customers by email. @param email written by staff, to replace the default text */
  async send(ids: Ids, email?: Id): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#lockOrder(id, ['draft', 'sent', 'sale', 'done']);
      if (order.order_line.length === 0) throw new InvalidInput('This quotation is empty.', { code: 'sale.empty' });
      if (!order.invoice_email && email === undefined)
        throw new InvalidInput('Enter the customer’s email address first.', {
          code: 'sale.no_email',
          fields: { invoice_email: t(ctx, 'Enter the customer’s email address first.') },
        });
      if (order.state === 'draft')
        await ctx.model(SaleOrder).write(id, { state: 'sent', is_cart: false, name: await this.numberFor(order) });
      const kind = order.state === 'sale' || order.state === 'done' ? 'confirmed' : 'quotation';
      await ctx.jobs.enqueue(orderMail, {
        order: id,
        kind,
        again: ctx.now().getTime(),
        ...(email === undefined ? {} : { email }),
      });
    }
  }

  /** Messages on an order go to its customer, with or without an account. */
  override async messageRecipients(id: Id): Promise<readonly MessageRecipient[]> {
    const { invoice_name, invoice_email, lang, partner_id } = await this.ctx
      .sudo() // The discussion checked that the caller may read the order.
      .model(SaleOrder)
      .get(id, { select: { invoice_name: true, invoice_email: true, lang: true, partner_id: true } });
    if (!invoice_email || !isEmailAddress(invoice_email)) return [];
    return [{ email: invoice_email, name: invoice_name ?? '', lang, partnerId: partner_id, ticked: true }];
  }

  /** Delivery status of the last email about each order. */
  async computeMailState(ids: Ids): Promise<Map<Id, string | null>> {
    const states = await lastDeliveries(this.ctx, SaleOrder.modelName, ids);
    return new Map(ids.map((id) => [id, states.get(id) ?? null]));
  }

  /**
   * Confirms quotations: takes limited items from stock, assigns numbers, notifies the customers. Extensions add their own steps
   * (registrations).
   *
   * @throws Conflict if an item is no longer available, or the state doesn't allow it
   */
  async confirm(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#lockOrder(id, ['draft', 'sent']);
      if (order.order_line.length === 0) throw new InvalidInput('This order is empty.', { code: 'sale.empty' });
      if (!order.invoice_name) throw new InvalidInput('Choose a customer first.', { code: 'sale.no_customer' });
      await ctx.model(SaleOrder).#refuseFinal(id);
      // Staff who confirm an order with a moved event have agreed on the new date with the customer: its documents show it.
      await ctx.model(SaleOrder).renewTexts(id);
      // Takes the needed stock permanently, replacing the holds.
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
        blocked_note: null,
        void_lines: null,
      });
      if (order.invoice_email) await ctx.jobs.enqueue(orderMail, { order: id, kind: 'confirmed' });
    }
  }

  /**
   * Cancels orders and their unfinished payments, and releases held or taken stock. For paid orders, staff decide about the payments: see
   * `sale.cancellation`.
   */
  async cancel(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#lockOrder(id, ['draft', 'sent', 'sale', 'cancel']);
      if (order.state === 'cancel') continue;
      if (!this.ctx.su && order.transaction_ids.some(({ amount_left }) => (amount_left ?? 0) > 0))
        throw new Conflict('This order has been paid for. Use “Cancel and refund” instead.', {
          code: 'sale.money_there',
        });
      const stock = ctx.get(Stock);
      if (order.state === 'sale') await stock.giveBack(await ctx.model(SaleOrderLine).needs(order.order_line));
      await stock.release([id]);
      await ctx.model(SaleOrder).write(id, { state: 'cancel', is_cart: false });
      await endPayments(ctx, id, ['draft', 'pending']);
    }
  }

  /** Makes cancelled or sent quotations editable again; cancels payments that were only started. */
  async reopen(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx, order } = await this.#lockOrder(id, ['draft', 'sent', 'cancel']);
      if (order.state === 'draft') continue;
      const paid = await ctx.model('payment.transaction').count([
        ['sale_order_id', '=', id],
        ['state', 'in', ['pending', 'done']],
      ]);
      if (paid > 0)
        throw new Conflict('This order is paid or being paid, so it can’t be changed.', {
          code: 'sale.being_paid',
        });
      await endPayments(ctx, id, ['draft']);
      await ctx
        .model(SaleOrder)
        .write(id, { state: 'draft', date_confirm: null, blocked_reason: null, blocked_note: null });
    }
  }

  /** Closes delivered orders. */
  async finish(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { ctx } = await this.#lockOrder(id, ['sale']);
      await ctx.model(SaleOrder).write(id, { state: 'done' });
    }
  }

  /** Domain of a customer's orders, including the orders of their child contacts. Extensions exclude orders with a separate list. */
  customerOrders(partner: Id): RawDomain {
    return [
      ['partner_id', 'child_of', partner],
      ['is_cart', '=', false],
      ['state', '!=', 'draft'],
    ];
  }

  /** Returns the number of an order, and assigns the next one if it is missing. Numbers are gapless. */
  async numberFor({ name }: { readonly name: string | null }): Promise<string> {
    return name ?? (await this.ctx.sudo().model(Sequence).next(orderSequence)); // Everyone whose order needs a number gets one.
  }

  /**
   * Records that the customer confirmed the order's email address, and holds its needs for as long as a transfer takes. Needs elevated
   * rights.
   */
  async confirmAddress(id: Id): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    const row = await this.get(id, { select: { invoice_email: true, state: true, payment_state: true } });
    const transfers = this.ctx.get(Transfers);
    if (row.state !== 'sent' || row.payment_state !== 'pending' || (await transfers.isAddressConfirmed(id))) return;
    await this.write(id, { confirmed_email: row.invoice_email });
    await transfers.keep(id);
  }

  /** Returns a context with elevated rights if the caller may write the order. */
  async #elevatedCtx(id: Id): Promise<Ctx> {
    if (!this.ctx.su && (await this.allowed([id], 'write')).length === 0)
      throw new NotFound('We can’t find this order.', { code: 'sale.no_order' });
    return this.ctx.sudo(); // The right to write the order was checked; payments, stock and numbers follow from it.
  }

  /**
   * Locks and returns an order, with elevated rights, if the caller may write it. Every state change locks the order first, so of two
   * concurrent calls the second sees the result of the first.
   *
   * @throws Conflict if the order is in none of these states
   */
  async #lockOrder(id: Id, states: readonly OrderState[]) {
    const ctx = await this.#elevatedCtx(id);
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
      throw new Conflict('You can’t do this with an order in this status.', { code: 'sale.wrong_state' });
    return { ctx, order };
  }

  /** @throws Conflict if an order is not an open quotation, or is being paid */
  async #refuseUnlessEditable({ id, state }: { readonly id: Id; readonly state: string }): Promise<void> {
    if (state === 'draft') return;
    if (state !== 'sent') throw notOpen();
    // architecture-exempt(unlocked-count): every caller holds the lock of the order
    const paying = await this.ctx
      .sudo() // Counts payments even if the caller can't see them.
      .model('payment.transaction')
      .count([
        ['sale_order_id', '=', id],
        ['state', 'in', ['draft', 'pending']],
      ]);
    if (paying > 0) throw beingPaid();
  }

  /** Refuses another currency once payments were received, since they count in their own currency. Needs elevated rights. */
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
    const message = t(this.ctx, 'This order has a payment in {currency}. Choose a pricelist in that currency.', {
      currency: name,
    });
    throw new Conflict(message, { code: 'sale.paid_in_currency', fields: { pricelist_id: message } });
  }

  /**
   * Returns an order's taxes after a change of address, tax number, customer or company. Keeps a fiscal position chosen by staff, unless
   * the customer changes. Needs elevated rights.
   */
  async #taxChanges(ids: Ids, changes: OrderValues, isNewCustomer: boolean): Promise<OrderValues> {
    const [id] = ids;
    if (id === undefined || 'invoice_vat_state' in changes || !taxNames.some((name) => name in changes)) return {};
    const defaults = this.ctx.get(OrderDefaults);
    const order = await this.get(id, { select: { ...taxColumns, is_cart: true, fiscal_position: true } });
    const { fiscal_position, ...status } = await defaults.taxesOf({ ...order, ...changes });
    if ('fiscal_position' in changes) return status;
    const isAutomatic = isNewCustomer || order.is_cart || (await defaults.isAutomatic(order));
    return isAutomatic ? { ...status, fiscal_position } : status;
  }

  /** Enqueues a check in the EU register for an unconfirmed number. */
  async #checkTaxNumber(id: Id, { invoice_vat_state: state }: OrderValues): Promise<void> {
    if (state === 'unverified')
      await this.ctx.jobs.enqueue(checkVatNumber, { order: id, tries: 1 }, { key: String(id) });
  }

  /** Whether the customer of an order changes, and of which kind of order. */
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
   * Notes which quotation lines match the shop's offer before the terms change. Matching lines follow the change; values agreed by hand or
   * given in the same write stay. Cart lines always match the offer.
   */
  async #noteMatchingLines(ids: Ids, values: OrderValues): Promise<void> {
    const orders = this.ctx.sudo().model(SaleOrder); // Users who may write the order may know the shop's offers.
    for (const order of await orders.read(ids, { select: { ...termColumns, is_cart: true, state: true } })) {
      const isChanged = (name: keyof typeof order & keyof OrderValues): boolean =>
        name in values && (values[name] ?? null) !== order[name];
      const isShippedElsewhere = !order.shipping_same || values.shipping_same === false;
      if (!termNames.some(isChanged) && !(isShippedElsewhere && serviceNames.some(isChanged))) continue;
      if (order.is_cart) {
        if (order.state === 'draft') this.#changedCarts.add(order.id);
        continue;
      }
      this.#matchingLines.set(order.id, await matchingLines(orders.ctx, order.id, values.order_line));
    }
  }

  /** Returns the line a request refers to, or null for a new one. @throws NotFound if the line isn't part of this order and product */
  async #lineOf(lines: readonly LineRow[], request: LineRequest): Promise<LineRow | null> {
    const ofProduct = lines.filter(({ product_id }) => product_id === request.product);
    if (request.line) {
      const requestedLine = ofProduct.find(({ id }) => id === request.line);
      if (!requestedLine) throw new NotFound('We can’t find this line.', { code: 'sale.no_line' });
      return requestedLine;
    }
    if (ofProduct.length === 0) return null;
    const id = await this.ctx.model(SaleOrderLine).sameLine(
      ofProduct.map((line) => line.id),
      request,
    );
    return ofProduct.find((line) => line.id === id) ?? null;
  }

  /** Writes a line with its quantity and the matching price. */
  async #writeLine({ id, terms, line, taxes, text, request, quantity }: WantedLine): Promise<Id> {
    const lines = this.ctx.model(SaleOrderLine);
    const { product, extra } = request;
    const buyable = await this.ctx.model(ProductProduct).buyable([product]);
    const offerRequest = { product, quantity: String(quantity), extra, ...(line === null ? {} : { line }) };
    const [offer] = buyable.has(product) ? await lines.offers(terms, [offerRequest]) : [];
    if (!offer) throw new Conflict('This product is no longer sold.', { code: 'sale.not_sold' });
    const values = { product_uom_qty: String(quantity), ...offer };
    if (line === null) return lines.create({ ...extra, ...values, order_id: id, product_id: product });
    const { name, tax_id, ...changes } = values;
    const isRenewed = text !== null && text !== name;
    await lines.write(line, {
      ...changes,
      ...(isRenewed ? { name } : {}),
      ...(sameTaxes(tax_id, taxes) ? {} : { tax_id: [{ set: tax_id }] }),
    });
    if (isRenewed) await lines.renewed([line]);
    return line;
  }

  /**
   * Holds the resources for a line, or reduces its quantity to the available stock. `checkedNeeds` were already found to be available,
   * under lock.
   */
  async #holdLine(target: WantedLine & { readonly line: Id }, checkedNeeds: readonly Need[]): Promise<LineAnswer> {
    const { id, line, quantity } = target;
    const lines = this.ctx.model(SaleOrderLine);
    const needs = await lines.needs([line]);
    if (needs.length === 0) return { line, quantity };
    const stock = this.ctx.get(Stock);
    const until = await cartUntil(this.ctx);
    const isDecided = needs.every((need) => checkedNeeds.some((checked) => isSameNeed(checked, need)));
    if (isDecided) await stock.keep(id, needs, until);
    const short = isDecided ? [] : await stock.hold(id, needs, until);
    if (short.length === 0) return { line, quantity };
    const available = Math.min(...short.map((shortage) => shortage.left));
    const warning = shortText(this.ctx, short);
    if (available <= 0) {
      await lines.unlink(line);
      return { line: null, quantity: 0, warning };
    }
    await this.#writeLine({ ...target, quantity: available });
    await stock.hold(id, await lines.needs([line]), until);
    return { line, quantity: available, warning };
  }

  /** Holds the resources for a cart line; returns false if there are too few. */
  async #holdForCart(order: Id, line: Id): Promise<boolean> {
    const needs = await this.ctx.model(SaleOrderLine).needs([line]);
    return (await this.ctx.get(Stock).hold(order, needs, await cartUntil(this.ctx))).length === 0;
  }
}

/** Price changes of a quotation, with the underlying offers. */
interface OfferedChanges {
  readonly offers: ReadonlyMap<Id, Offer>;
  readonly review: PriceChanges;
}

interface LineRow {
  readonly id: Id;
  readonly name: string;
  readonly product_id: Id | null;
  readonly product_uom_qty: string;
  readonly tax_id: Ids;
}

/** Line to be written for a request. */
interface WantedLine {
  readonly id: Id;
  readonly terms: OrderTerms;
  readonly line: Id | null;
  /** Current taxes of the line. */
  readonly taxes: Ids;
  /** Current text of the line, if it follows the shop's offer. */
  readonly text: string | null;
  readonly request: LineRequest;
  readonly quantity: number;
}

/** Fields that affect prices or taxes of lines. */
const termNames = ['pricelist_id', 'currency_id', 'company_id', 'fiscal_position', 'lang', 'partner_id'] as const;

/** Fields that affect services in the same way if goods are shipped to another address. */
const serviceNames = ['invoice_country_id', 'invoice_vat_state', 'shipping_same', 'shipping_country_id'] as const;

/** Fields that determine the taxes of an order. */
const taxColumns = {
  partner_id: true,
  company_id: true,
  invoice_vat: true,
  invoice_zip: true,
  invoice_country_id: true,
  shipping_same: true,
  shipping_country_id: true,
} as const;

const taxNames = [
  'partner_id',
  'company_id',
  'invoice_vat',
  'invoice_zip',
  'invoice_country_id',
  'shipping_same',
  'shipping_country_id',
] as const;

/** Cancels payments of an order in one of the states. */
async function endPayments(ctx: Ctx, order: Id, states: readonly ('draft' | 'pending')[]): Promise<void> {
  const payments = ctx.model('payment.transaction');
  const open = await payments.search([
    ['sale_order_id', '=', order],
    ['state', 'in', states],
  ]);
  await payments.advance(open, { state: 'cancel', keepOrder: true });
}

declare module 'pergola' {
  interface Models {
    'sale.order': SaleOrder;
  }
}
