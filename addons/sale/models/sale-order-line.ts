import { type Decimal, type FieldsOf, f, type Id, type Ids, InvalidInput, type Minor, model, type Values } from '#core';
import { completeLines } from '../services/order/complete-lines.ts';
import { refuseFrozenLines } from '../services/order/frozen.ts';
import { lineAmounts } from '../services/order/line-amounts.ts';
import { type Offer, type OfferRequest, offersFor, type Terms } from '../services/order/offers.ts';
import type { LineRequest } from '../services/order/set-line.ts';
import { shownLines } from '../services/order/shown-lines.ts';
import { productNeeds, productWants } from '../services/stock/product-resource.ts';
import type { Need } from '../services/stock/resource.ts';

/** One tax of a line, as kept. */
export interface KeptTax {
  readonly tax: Id;
  readonly included: boolean;
  readonly base: Minor;
  readonly amount: Minor;
  /** In major units, before rounding; for rounding over the whole order. */
  readonly exactBase: Decimal;
  readonly exactAmount: Decimal;
}

/** So many of a product on an order, at a price. */
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
    /** Before the rules of the pricelist, in the same currency; for showing what a customer saves. */
    price_list: f.decimal({ default: '0' as Decimal, label: 'List price', readonly: true }),
    discount: f.decimal({ default: '0' as Decimal, places: 2, label: 'Discount %' }),
    tax_id: f.many2many('account.tax', { label: 'Taxes' }),
    currency_id: f.many2one('res.currency', { related: 'order_id.currency_id' }),
    price_subtotal: f.money({
      compute: 'computeAmounts',
      store: true,
      depends: linePaths(),
      label: 'Amount without tax',
    }),
    price_tax: f.money({ compute: 'computeAmounts', store: true, depends: linePaths(), label: 'Tax' }),
    price_total: f.money({ compute: 'computeAmounts', store: true, depends: linePaths(), label: 'Amount with tax' }),
    /** What customers are shown of it, as everywhere: with tax or without by the setting. */
    shown_unit: f.decimal({
      compute: 'computeShown',
      label: 'Price shown',
      help: 'As pages, documents and mails show it',
    }),
    shown_amount: f.money({ compute: 'computeShown', label: 'Amount', help: 'As pages, documents and mails show it' }),
    tax_detail: f.json<readonly KeptTax[]>({ compute: 'computeAmounts', store: true, depends: linePaths() }),
    state: f.selection(
      { draft: 'Quotation', sent: 'Sent', sale: 'Order', done: 'Done', cancel: 'Cancelled' },
      { related: 'order_id.state' },
    ),
  },
  { order: 'order_id, sequence, id', label: 'Order line' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<SaleOrderLine>>[],
  ): Promise<readonly Values<FieldsOf<SaleOrderLine>>[]> {
    for (const value of values) checkLine(value);
    await refuseFrozenLines(this.ctx, [], values);
    return super.beforeCreate(await completeLines(this.ctx, values));
  }

  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<SaleOrderLine>>,
  ): Promise<Values<FieldsOf<SaleOrderLine>>> {
    checkLine(values);
    await refuseFrozenLines(this.ctx, ids, [values]);
    return super.beforeWrite(ids, values);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await refuseFrozenLines(this.ctx, ids, []);
    await super.beforeUnlink(ids);
  }

  /** Subtotal, tax and total of each line; see `services/tax`. */
  async computeAmounts(
    ids: Ids,
  ): Promise<Map<Id, { price_subtotal: Minor; price_tax: Minor; price_total: Minor; tax_detail: KeptTax[] }>> {
    return lineAmounts(this.ctx, ids);
  }

  async computeShown(ids: Ids): Promise<Map<Id, { shown_unit: Decimal; shown_amount: Minor }>> {
    // Taxes are in what is shown, also to who may not read taxes.
    const shown = await shownLines(this.ctx.sudo(), ids);
    return new Map([...shown].map(([id, { unit, amount }]) => [id, { shown_unit: unit, shown_amount: amount }]));
  }

  /**
   * What the shop asks for things: text, price and taxes for each request, in its order; null where it is not sold (any more). Layers override it for
   * what has a price of its own (tickets), calling `super` for the rest.
   */
  async offers(terms: Terms, requests: readonly OfferRequest[]): Promise<(Offer | null)[]> {
    return offersFor(this.ctx, terms, requests);
  }

  /** Why `offers` had nothing for a request, for whoever writes the line; layers know of more reasons. */
  async notOffered(_request: OfferRequest): Promise<string> {
    return this.ctx.t('This product is no longer sold.');
  }

  /** Which of these lines, all of the product asked for, a request means; null: a new one. Layers look at what they added to lines. */
  async sameLine(lines: Ids, _request: LineRequest): Promise<Id | null> {
    return lines[0] ?? null;
  }

  /** What layers added to a line, as the `extra` of a request for the same. */
  async extraOf(_id: Id): Promise<Readonly<Record<string, unknown>>> {
    return {};
  }

  /**
   * What a request is going to need of limited things, before there is a line for it (`line` is null then, and 0 in the answer). Only for speed: what is
   * left out here is still decided by `needs`.
   */
  async wants(request: LineRequest, quantity: number, line: Id | null): Promise<Need[]> {
    return productWants(this.ctx, request.product, quantity, line);
  }

  /** What of the limited things these lines need: so many of a product in stock. Layers add theirs (seats). */
  async needs(ids: Ids): Promise<Need[]> {
    return productNeeds(this.ctx, ids);
  }
}

/** @throws InvalidInput for a quantity or discount that makes no sense */
function checkLine({ product_uom_qty, discount }: Values<FieldsOf<SaleOrderLine>>): void {
  if (Number(product_uom_qty ?? 0) < 0) refuse('product_uom_qty', 'A quantity is not negative.');
  if (Number(discount ?? 0) > 100 || Number(discount ?? 0) < 0)
    refuse('discount', 'A discount is between 0 and 100 %.');
}

function refuse(field: string, message: string): never {
  throw new InvalidInput(message, { code: 'sale.bad_line', fields: { [field]: message } });
}

/** What the amounts of a line follow. Not what a tax says of itself: a new rate holds for new lines. */
function linePaths(): readonly string[] {
  return ['product_uom_qty', 'price_unit', 'discount', 'tax_id', 'order_id.currency_id'];
}

declare module '#core' {
  interface Models {
    'sale.order.line': SaleOrderLine;
  }
}
