import { Conflict, type Ctx, type Decimal, decimal, type Id, InvalidInput, NotFound } from '#core';
import { ProductProduct } from '../../models/product-product.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { hold, keep, type Shortage, shortages } from '../stock/holds.ts';
import { hasRoom } from '../stock/network.ts';
import type { Need } from '../stock/resource.ts';
import { lineColumns, orderColumns } from './columns.ts';
import { refuseUnlessEditable } from './frozen.ts';
import type { Offer, Terms } from './offers.ts';
import { MOST_PIECES, wholeQuantity } from './quantity.ts';
import { cartUntil } from './until.ts';

/** What somebody wants changed on an order. */
export interface LineRequest {
  readonly product: Id;
  /** The line that is meant; else the one of the same product is looked for. */
  readonly line?: Id | null;
  /** So many from now on; 0 or less takes the line away. */
  readonly set?: number;
  /** So many more (or less). Without `set` and `add` the line is taken away. */
  readonly add?: number;
  /** Values of the line that layers added to it (`event_ticket_id`). */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What it needs is locked already, so it is counted once. */
  readonly locked?: boolean;
}
export interface LineAnswer {
  /** Null when there is no line (any more). */
  readonly line: Id | null;
  /** How many are on the order now. */
  readonly quantity: number;
  /** Why there are fewer than asked for, in the context's language. */
  readonly warning?: string;
}

/** More lines than this are no order of a person. */
const MOST_LINES = 300;

/** See `SaleOrder.setLine`. */
export async function setLine(given: Ctx, id: Id, request: LineRequest): Promise<LineAnswer> {
  // Whoever may change the order at all may do so through this: what it needs of prices, taxes and stock is not theirs to read.
  const ctx = await authorised(given, id);
  await ctx.lock(SaleOrder, [id]);
  // What the sums follow is read along: within the transaction it is then known.
  const order = await ctx
    .model(SaleOrder)
    .get(id, { select: { ...orderColumns, network: true, order_line: lineColumns } });
  await refuseUnlessEditable(ctx, { id, state: order.state });
  const line = await lineOf(ctx, order.order_line, request);
  const before = decimal(line?.product_uom_qty ?? '0').toNumber();
  const wanted = wantedQuantity(request, before);
  if (wanted <= 0) {
    if (line) await ctx.model(SaleOrderLine).unlink(line.id);
    return { line: null, quantity: 0 };
  }
  if (!line && order.order_line.length >= MOST_LINES)
    throw new InvalidInput('An order has {most} lines at most.', {
      code: 'sale.too_many_lines',
      params: { most: MOST_LINES },
    });
  const terms: Terms = {
    pricelist: order.pricelist_id,
    currency: order.currency_id,
    fiscalPosition: order.fiscal_position,
    lang: order.lang,
    partner: order.partner_id,
  };
  const asked = { id, terms, line: line?.id ?? null, taxes: line?.tax_id ?? [], request, quantity: wanted };
  const needs = await ctx.model(SaleOrderLine).wants(request, wanted, line?.id ?? null);
  if (needs.length > 0 && wanted > before && !(await mayHold(ctx, order)))
    return { line: line?.id ?? null, quantity: before, warning: crowdedText(ctx) };
  const short = await shortOfWanted(ctx, needs, request.locked);
  if (!line && short.some(({ left }) => left <= 0)) return { line: null, quantity: 0, warning: shortText(ctx, short) };
  return holdLine(ctx, { ...asked, line: await writeLine(ctx, asked) }, short.length === 0 ? needs : []);
}

async function authorised(ctx: Ctx, id: Id): Promise<Ctx> {
  if (ctx.su) return ctx;
  if ((await ctx.model(SaleOrder).allowed([id], 'write')).length === 0)
    throw new NotFound('There is no such order.', { code: 'sale.no_order' });
  return ctx.sudo();
}

interface LineRow {
  readonly id: Id;
  readonly product_id: Id | null;
  readonly product_uom_qty: Decimal;
  readonly tax_id: readonly Id[];
}

/** @throws NotFound for a line that is not of this order and product */
async function lineOf(ctx: Ctx, lines: readonly LineRow[], request: LineRequest): Promise<LineRow | null> {
  const ofProduct = lines.filter(({ product_id }) => product_id === request.product);
  if (request.line) {
    const meant = ofProduct.find(({ id }) => id === request.line);
    if (!meant) throw new NotFound('There is no such line.', { code: 'sale.no_line' });
    return meant;
  }
  const id =
    ofProduct.length === 0
      ? null
      : await ctx.model(SaleOrderLine).sameLine(
          ofProduct.map((line) => line.id),
          request,
        );
  return ofProduct.find((line) => line.id === id) ?? null;
}

function wantedQuantity({ set, add }: LineRequest, before: number): number {
  if (set !== undefined) return wholeQuantity(set);
  if (add === undefined) return 0;
  return Math.min(MOST_PIECES, before + wholeQuantity(add));
}

/** Seats and stock are not kept from everybody by carts that one network begins; who is signed in has one cart. */
async function mayHold(
  ctx: Ctx,
  order: { readonly id: Id; readonly partner_id: Id | null; readonly network: string | null },
): Promise<boolean> {
  return order.partner_id !== null || hasRoom(ctx, order, ['draft', 'sent']);
}

interface Wanted {
  readonly id: Id;
  readonly terms: Terms;
  readonly line: Id | null;
  /** Those the line has. */
  readonly taxes: readonly Id[];
  readonly request: LineRequest;
  readonly quantity: number;
}

/**
 * What is plainly sold out is answered before anything is written. Else what is limited is locked first of all: who has to wait for others has done nothing
 * yet that would be done again.
 */
async function shortOfWanted(ctx: Ctx, needs: readonly Need[], locked = false): Promise<Shortage[]> {
  if (needs.length === 0) return [];
  if (locked) return shortages(ctx, needs);
  const early = await shortages(ctx, needs, { locked: false });
  return early.some(({ left }) => left <= 0) ? early : shortages(ctx, needs);
}

/** The line with its quantity and the price for it. */
async function writeLine(ctx: Ctx, wanted: Wanted): Promise<Id> {
  const { request, terms, line, quantity } = wanted;
  const lines = ctx.model(SaleOrderLine);
  const values = { product_uom_qty: String(quantity), ...(await offer(ctx, wanted)) };
  if (line !== null) {
    const { name: _, tax_id, ...changes } = values;
    const isSame = tax_id.length === wanted.taxes.length && tax_id.every((tax) => wanted.taxes.includes(tax));
    await lines.write(line, isSame ? changes : { ...changes, tax_id: [{ set: tax_id }] });
    return line;
  }
  return lines.create({ ...request.extra, ...values, order_id: wanted.id, product_id: request.product });

  async function offer(around: Ctx, { request: asked }: Wanted): Promise<Offer> {
    const buyable = await around.model(ProductProduct).buyable([asked.product]);
    const [made] = buyable.has(asked.product)
      ? await lines.offers(terms, [
          {
            product: asked.product,
            quantity: String(quantity),
            extra: asked.extra,
            ...(line === null ? {} : { line }),
          },
        ])
      : [];
    if (made) return made;
    throw new Conflict('This product is no longer sold.', { code: 'sale.not_sold' });
  }
}

/** Holds what the line needs; where there is too little, the line gets what is left. What is `there` was found to be, under its lock. */
async function holdLine(ctx: Ctx, wanted: Wanted & { readonly line: Id }, there: readonly Need[]): Promise<LineAnswer> {
  const lines = ctx.model(SaleOrderLine);
  const needs = await lines.needs([wanted.line]);
  if (needs.length === 0) return { line: wanted.line, quantity: wanted.quantity };
  const until = await cartUntil(ctx);
  const isDecided = needs.every((need) => there.some((one) => isSame(one, need)));
  if (isDecided) await keep(ctx, wanted.id, needs, until);
  const short = isDecided ? [] : await hold(ctx, wanted.id, needs, until);
  if (short.length === 0) return { line: wanted.line, quantity: wanted.quantity };
  const left = Math.min(...short.map((one) => one.left));
  const warning = shortText(ctx, short);
  if (left <= 0) {
    await lines.unlink(wanted.line);
    return { line: null, quantity: 0, warning };
  }
  await writeLine(ctx, { ...wanted, quantity: left });
  await hold(ctx, wanted.id, await lines.needs([wanted.line]), until);
  return { line: wanted.line, quantity: left, warning };
}

/** Whether two needs are the same, whatever their lines. */
function isSame(one: Need, other: Need): boolean {
  return one.resource === other.resource && one.id === other.id && one.quantity === other.quantity;
}

function crowdedText(ctx: Ctx): string {
  return ctx.t(
    'A lot is kept for carts from your network already. Sign in to put this into yours, or try again in a few minutes.',
  );
}

/** What a customer is told about what there is too little of. */
export function shortText(ctx: Ctx, short: readonly Shortage[]): string {
  return short
    .map(({ name, left }) =>
      left > 0
        ? ctx.plural('Only {n} left of “{name}”.', 'Only {n} left of “{name}”.', left, { name })
        : ctx.t('“{name}” is sold out.', { name }),
    )
    .filter((text, place, all) => all.indexOf(text) === place)
    .join(' ');
}
