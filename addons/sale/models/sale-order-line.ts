import {
  type Decimal,
  decimal,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  type Minor,
  model,
  type Values,
} from 'pergola';
import { currencies } from '../services/currencies.ts';
import { stateColors } from '../services/orders/frozen.ts';
import { amountsOf, isBare, type LineAmounts, type ShownLine, shownLine } from '../services/orders/line-money.ts';
import type { LineRequest } from '../services/orders/line-request.ts';
import type { Offer, OfferedPrice, OfferRequest, OrderTerms } from '../services/orders/offer.ts';
import { Pricing } from '../services/pricing/pricing.ts';
import type { Need } from '../services/stock/limited-resources.ts';
import { defaultTaxes } from '../services/tax/default-tax.ts';
import { pick, taxRules } from '../services/tax/tax-rules.ts';
import { t } from '../texts.ts';
import { FiscalPosition } from './account-fiscal-position.ts';
import { stockedVariants } from './product-product.ts';

type LineValues = Values<FieldsOf<SaleOrderLine>>;

/** Stored tax of a line. */
export interface KeptTax {
  readonly tax: Id;
  readonly included: boolean;
  readonly base: Minor;
  readonly amount: Minor;
  /** In major units, before rounding; used for rounding over the whole order. */
  readonly exactBase: Decimal;
  readonly exactAmount: Decimal;
}

/** A quantity of a product on an order, at a price. */
export class SaleOrderLine extends model(
  'sale.order.line',
  {
    order_id: f.many2one('sale.order', { required: true, ondelete: 'cascade', index: true }),
    sequence: f.integer({ default: 10 }),
    name: f.text({ required: true, filled: true, size: 4000, label: 'Description' }),
    product_id: f.many2one('product.product', { ondelete: 'restrict', index: true, label: 'Product' }),
    product_uom_qty: f.decimal({ required: true, default: '1' as Decimal, places: 3, label: 'Quantity' }),
    product_uom: f.many2one('product.uom', { ondelete: 'restrict', label: 'Unit' }),
    price_unit: f.decimal({ required: true, filled: true, default: '0' as Decimal, label: 'Unit price' }),
    /** Price before pricelist rules, in the same currency; used to show the customer's savings. */
    price_list: f.decimal({ default: '0' as Decimal, label: 'List price', readonly: true }),
    /** Price and taxes of the shop when the line was last priced. Distinguishes values set by hand from outdated ones. */
    last_offer: f.json<OfferedPrice>({ readonly: true, label: 'Shop price' }),
    discount: f.decimal({ default: '0' as Decimal, places: 2, percentage: 'percent', label: 'Discount %' }),
    tax_id: f.many2many('account.tax', { empty: 'none', ondelete: 'restrict', label: 'Taxes' }),
    currency_id: f.many2one('res.currency', { related: 'order_id.currency_id' }),
    price_subtotal: f.money({
      compute: 'computeAmounts',
      store: true,
      depends: linePaths(),
      label: 'Amount excl. tax',
    }),
    price_tax: f.money({ compute: 'computeAmounts', store: true, depends: linePaths(), label: 'Tax' }),
    price_total: f.money({ compute: 'computeAmounts', store: true, depends: linePaths(), label: 'Amount incl. tax' }),
    /** Price as shown to customers: with or without tax, depending on the setting. */
    shown_unit: f.decimal({
      compute: 'computeShown',
      label: 'Displayed price',
      help: 'As displayed on pages, documents and emails',
    }),
    shown_amount: f.money({
      compute: 'computeShown',
      label: 'Amount',
      help: 'As displayed on pages, documents and emails',
    }),
    tax_detail: f.json<readonly KeptTax[]>({
      compute: 'computeAmounts',
      store: true,
      depends: linePaths(),
      label: 'Tax details',
    }),
    state: f.selection(
      { draft: 'Quotation', sent: 'Quotation sent', sale: 'Order', done: 'Done', cancel: 'order\u0004Cancelled' },
      { related: 'order_id.state', label: 'Status', colors: stateColors },
    ),
    order_date: f.datetime({ related: 'order_id.date_order', label: 'Date' }),
    order_partner_id: f.many2one('res.partner', { related: 'order_id.partner_id', label: 'Customer' }),
    salesman_id: f.many2one('res.users', { related: 'order_id.user_id', label: 'Salesperson' }),
    categ_id: f.many2one('product.category', { related: 'product_id.product_tmpl_id.categ_id', label: 'Category' }),
  },
  { order: 'order_id, sequence, id', label: 'Order line' },
) {
  override async beforeCreate(values: readonly LineValues[]): Promise<readonly LineValues[]> {
    for (const value of values) checkLine(value);
    return super.beforeCreate(await this.#completeValues(values));
  }

  override async beforeWrite(ids: Ids, values: LineValues): Promise<LineValues> {
    checkLine(values);
    return super.beforeWrite(ids, await this.#withOffer(ids, values));
  }

  /** Stock is tracked in whole pieces, so lines can't contain fractions. */
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('product_uom_qty') && !changed.has('product_id')) return;
    const rows = await this.read(ids, { select: { product_uom_qty: true, product_id: true } });
    const products = rows.flatMap(({ product_uom_qty, product_id }) =>
      product_id === null || Number.isInteger(Number(product_uom_qty)) ? [] : [product_id],
    );
    if (products.length === 0) return;
    const system = this.ctx.sudo(); // Everyone who may write the line may know whether stock is tracked.
    const [stocked] = await stockedVariants.get(system, products);
    if (stocked === undefined) return;
    const name = (await system.model('product.product').displayNames([stocked])).get(stocked) ?? '';
    const message = t(this.ctx, 'Stock of “{name}” is tracked in whole units. Enter a whole number.', { name });
    throw new InvalidInput(message, { code: 'sale.not_whole', fields: { product_uom_qty: message } });
  }

  /** Subtotal, tax and total of each line, rounded individually; see `services/tax`. */
  async computeAmounts(ids: Ids): Promise<Map<Id, LineAmounts>> {
    const rows = await this.read(ids, {
      select: {
        product_uom_qty: true,
        price_unit: true,
        discount: true,
        tax_id: true,
        order_id: { currency_id: true },
      },
    });
    const rules = await taxRules.get(
      this.ctx,
      rows.flatMap(({ tax_id }) => tax_id),
    );
    const currencyById = await currencies.get(
      this.ctx,
      rows.flatMap(({ order_id }) => order_id?.currency_id ?? []),
    );
    return new Map(
      rows.map(({ id, order_id, ...line }) => {
        const currency = currencyById.get(order_id?.currency_id ?? 0) ?? { digits: 2 };
        return [id, amountsOf(line, pick(rules, line.tax_id), currency)];
      }),
    );
  }

  async computeShown(ids: Ids): Promise<Map<Id, { shown_unit: Decimal; shown_amount: Minor }>> {
    // The shown prices include taxes, even for readers who may not read taxes.
    const prices = await this.ctx.sudo().model(SaleOrderLine).shown(ids);
    return new Map([...prices].map(([id, { unit, amount }]) => [id, { shown_unit: unit, shown_amount: amount }]));
  }

  /**
   * Returns prices and amounts of lines as every page, document and email shows them: with or without tax, depending on the shop's setting.
   *
   * ```ts
   * const { unit, amount } = (await ctx.model(SaleOrderLine).shown([line])).get(line);   // "72", 25200 for 3.5 of them
   * ```
   */
  async shown(ids: Ids): Promise<ReadonlyMap<Id, ShownLine>> {
    const rows = await this.read(ids, {
      select: {
        product_uom_qty: true,
        price_unit: true,
        price_list: true,
        discount: true,
        price_subtotal: true,
        price_total: true,
        tax_detail: true,
        tax_id: true,
        order_id: { currency_id: true },
      },
    });
    const taxed = await this.ctx.get(Pricing).showsTax();
    const currencyById = await currencies.get(
      this.ctx,
      rows.flatMap(({ order_id }) => order_id?.currency_id ?? []),
    );
    // Stored taxes tell which ones a line's amount includes. Lines with an amount of zero have to look at the tax records.
    const rules = await taxRules.get(
      this.ctx,
      rows.filter(isBare).flatMap(({ tax_id }) => tax_id),
    );
    return new Map(
      rows.map((row) => {
        const currency = currencyById.get(row.order_id?.currency_id ?? 0) ?? { digits: 2 };
        return [row.id, shownLine(row, { currency, taxed, rules: pick(rules, row.tax_id) })];
      }),
    );
  }

  /**
   * Returns the shop's offers: text, price and taxes for each request, in order; null if the product isn't sold. Extensions override it for
   * items with their own price (tickets), calling `super` for the rest.
   */
  async offers(terms: OrderTerms, requests: readonly OfferRequest[]): Promise<(Offer | null)[]> {
    return this.ctx.get(Pricing).offers(terms, requests);
  }

  /** Explains to the author of a line why `offers` returned null; extensions add more reasons. */
  async notOffered(_request: OfferRequest): Promise<string> {
    return t(this.ctx, 'This product is no longer sold.');
  }

  /** Called after lines took over the text of the shop's offer; extensions store the data they compare with (the date of a ticket). */
  async renewed(_ids: Ids): Promise<void> {}

  /**
   * Returns which of these lines of the requested product a request refers to, or null for a new line. Extensions compare the values they
   * added.
   */
  async sameLine(lines: Ids, _request: LineRequest): Promise<Id | null> {
    return lines[0] ?? null;
  }

  /** Returns extension values of a line, as the `extra` of a request for an equal line. */
  async extraOf(_id: Id): Promise<Readonly<Record<string, unknown>>> {
    return {};
  }

  /** Called before a line is deleted because its quantity was added to an equal line; extensions move their records. */
  async mergedInto(_line: Id, _into: Id): Promise<void> {}

  /**
   * Estimates the limited resources for a request before its line exists (`line` is null then, and 0 in the result). An optimization only:
   * `needs` still decides about anything missing here.
   */
  async wants(request: LineRequest, quantity: number, line: Id | null): Promise<Need[]> {
    const stocked = await stockedVariants.get(this.ctx, [request.product]);
    return stocked.has(request.product)
      ? [{ line: line ?? 0, resource: 'product.product', id: request.product, quantity }]
      : [];
  }

  /** Returns the limited resources that lines need: whole pieces of tracked products. Extensions add their resources (seats). */
  async needs(ids: Ids): Promise<Need[]> {
    const rows = await this.read(ids, { select: { product_uom_qty: true, product_id: true } });
    const stocked = await stockedVariants.get(
      this.ctx,
      rows.flatMap(({ product_id }) => product_id ?? []),
    );
    return rows.flatMap(({ id, product_uom_qty, product_id }) =>
      product_id !== null && stocked.has(product_id)
        ? [
            {
              line: id,
              resource: 'product.product',
              id: product_id,
              quantity: Math.ceil(decimal(product_uom_qty).toNumber()),
            },
          ]
        : [],
    );
  }

  /** Completes new lines with the shop's offer where price, text or taxes are missing; keeps given values. */
  async #completeValues(values: readonly LineValues[]): Promise<LineValues[]> {
    const system = this.ctx.sudo(); // Users who may add a line get the shop's prices without the right to read them.
    const lines = system.model(SaleOrderLine);
    const complete = await this.#withDefaultTax(values);
    const open = values.flatMap((value, position) => (isOpen(value) ? [{ value, place: position }] : []));
    for (const [order, openLines] of Map.groupBy(open, ({ value }) => idOf(value.order_id))) {
      const requests = openLines.map(({ value }) => ({
        product: idOf(value.product_id),
        quantity: (value.product_uom_qty as Decimal | undefined) ?? '1',
        extra: value,
      }));
      const offers = await lines.offers(await system.model('sale.order').termsOf(order), requests);
      for (const [index, { value, place: position }] of openLines.entries()) {
        const offer = offers[index];
        if (!offer) {
          const message = await lines.notOffered({ product: idOf(value.product_id), quantity: '1', extra: value });
          throw new InvalidInput(message, { code: 'sale.not_sold', fields: { product_id: message } });
        }
        complete[position] = { ...offer, tax_id: [...offer.tax_id], ...definedValues(value) };
      }
    }
    return complete;
  }

  /**
   * Adds the default sales tax of the order's company, under its fiscal position, to new lines without a product, unless taxes are given.
   */
  async #withDefaultTax(values: readonly LineValues[]): Promise<LineValues[]> {
    const system = this.ctx.sudo(); // As for prices, the company's tax applies for everyone who may add a line.
    const complete: LineValues[] = [];
    for (const value of values) {
      if (typeof value.product_id === 'number' || value.tax_id) {
        complete.push(value);
        continue;
      }
      const { company_id, fiscal_position } = await system
        .model('sale.order')
        .get(idOf(value.order_id), { select: { company_id: true, fiscal_position: true } });
      const taxes = (await defaultTaxes(system, company_id)) ?? [];
      const map = await system.model(FiscalPosition).mapping(fiscal_position);
      complete.push({ ...value, tax_id: map(taxes) });
    }
    return complete;
  }

  /**
   * Updates text, price and taxes for another product, and the price for another quantity unless it was agreed by hand. Keeps given values.
   * In carts, the price always follows the quantity.
   */
  async #withOffer(ids: Ids, values: LineValues): Promise<LineValues> {
    const { product_id, product_uom_qty } = values;
    if (!isMissing(values.price_unit) || (isMissing(product_id) && isMissing(product_uom_qty))) return values;
    const [id, ...others] = ids;
    // Lines have individual prices, so each of several lines gets its price before all get the common values.
    for (const otherId of others) await this.write(otherId, await this.#withOffer([otherId], values));
    if (id === undefined) return values;
    const lines = this.ctx.sudo().model(SaleOrderLine); // Elevated rights, as for new lines.
    const line = await lines.get(id, {
      select: { order_id: true, product_id: true, product_uom_qty: true, price_unit: true },
    });
    const product = typeof product_id === 'number' ? product_id : line.product_id;
    if (product === null) return values;
    const newQuantity = Number(product_uom_qty ?? Number.NaN);
    const quantity = Number.isFinite(newQuantity) ? decimal(String(product_uom_qty)).toString() : line.product_uom_qty;
    const terms = await lines.ctx.model('sale.order').termsOf(line.order_id);
    const isSameProduct = product === line.product_id;
    if (isSameProduct && decimal(quantity).eq(line.product_uom_qty)) return values;
    const [offer, previousOffer] = await lines.offers(terms, [
      { product, quantity, line: id, extra: values },
      ...(isSameProduct ? [{ product, quantity: line.product_uom_qty, line: id }] : []),
    ]);
    if (isSameProduct) {
      const isShops = offer && previousOffer && decimal(previousOffer.price_unit).eq(line.price_unit);
      return isShops
        ? { ...values, price_unit: offer.price_unit, price_list: offer.price_list, last_offer: offer.last_offer }
        : values;
    }
    if (offer) return { ...offer, tax_id: [{ set: offer.tax_id }], ...definedValues(values) };
    const message = await lines.notOffered({ product, quantity, extra: values });
    throw new InvalidInput(message, { code: 'sale.not_sold', fields: { product_id: message } });
  }
}

/** Whether a line with a product lacks values that the shop's offer provides. */
function isOpen(value: LineValues): boolean {
  return (
    typeof value.product_id === 'number' && (isMissing(value.price_unit) || isMissing(value.name) || !value.tax_id)
  );
}

function definedValues(value: LineValues): LineValues {
  return Object.fromEntries(Object.entries(value).filter(([, fieldValue]) => !isMissing(fieldValue))) as LineValues;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function idOf(value: unknown): Id {
  return typeof value === 'number' ? value : 0;
}

/** @throws InvalidInput for an invalid quantity or discount */
function checkLine({ product_uom_qty, discount }: LineValues): void {
  if (Number(product_uom_qty ?? 0) < 0) refuse('product_uom_qty', 'A quantity is not negative.');
  if (Number(discount ?? 0) > 100 || Number(discount ?? 0) < 0)
    refuse('discount', 'A discount is between 0 and 100 %.');
}

function refuse(field: string, message: string): never {
  throw new InvalidInput(message, { code: 'sale.bad_line', fields: { [field]: message } });
}

/** Fields that determine the amounts of a line. Doesn't include tax rates: a new rate applies to new lines only. */
function linePaths(): readonly string[] {
  return ['product_uom_qty', 'price_unit', 'discount', 'tax_id', 'order_id.currency_id'];
}

declare module 'pergola' {
  interface Models {
    'sale.order.line': SaleOrderLine;
  }
}
