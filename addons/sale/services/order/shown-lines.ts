import {
  type Ctx,
  type CurrencyUnits,
  type Decimal,
  decimal,
  fromMinor,
  type Id,
  type Ids,
  type Minor,
  toMinor,
} from '#core';
import { type KeptTax, SaleOrderLine } from '../../models/sale-order-line.ts';
import { currenciesOf } from '../pricing/currencies.ts';
import { shownAmount, showsTax, taxesOf } from '../pricing/shown-prices.ts';
import type { TaxRule } from '../tax/exact-taxes.ts';
import { taxMapping } from '../tax/fiscal-position.ts';
import { pick, taxRules } from '../tax/rules.ts';
import { type Asked, amountsOf } from './line-amounts.ts';

/** The money of a line as everybody is shown it: in the same way, with tax or without, and so that unit × quantity less discount is the amount. */
export interface ShownLine {
  /** For one piece, before the discount of the line, in major units; with more digits than the currency has only where it takes them. */
  readonly unit: Decimal;
  /** What one piece cost before the rules of the pricelist; the same as `unit` where that is not known. */
  readonly list: Decimal;
  /** What the line comes to. */
  readonly amount: Minor;
  /** The same before the discount of the line. */
  readonly was: Minor;
}

/** What is read of a line to show its money. */
const columns = {
  product_uom_qty: true,
  price_unit: true,
  price_list: true,
  discount: true,
  price_subtotal: true,
  price_total: true,
  tax_detail: true,
  tax_id: true,
  currency_id: true,
} as const;

interface Line extends Asked {
  readonly price_list: Decimal | null;
  readonly price_subtotal: Minor | null;
  readonly price_total: Minor | null;
  readonly tax_detail: readonly KeptTax[] | null;
}

/** The most digits a unit price is shown with, as many as are kept of it. */
const MOST_PLACES = 6;

/**
 * What every page, document and mail shows of the money of lines, by line: with tax or without by the setting of the shop. Needs the right to read them.
 *
 * ```ts
 * const { unit, amount } = (await shownLines(ctx, [line])).get(line);   // "72", 25200 for 3.5 of them
 * ```
 */
export async function shownLines(ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, ShownLine>> {
  const rows = await ctx.model(SaleOrderLine).read(ids, { select: columns });
  const taxed = await showsTax(ctx);
  const currencies = await currenciesOf(
    ctx,
    rows.flatMap(({ currency_id }) => currency_id ?? []),
  );
  // What a line kept of its taxes says what is in its amount; of a line that comes to nothing only the taxes themselves can tell.
  const bare = rows.filter(isBare);
  const rules = await taxRules(
    ctx,
    bare.flatMap(({ tax_id }) => tax_id),
  );
  return new Map(
    rows.map((row) => {
      const currency = currencies.get(row.currency_id ?? 0) ?? { digits: 2 };
      return [row.id, shownLine(row, { currency, taxed, rules: pick(rules, row.tax_id) })];
    }),
  );
}

/** Something that is offered, and no line of an order (yet). */
export interface OfferedLine extends Asked {
  readonly product: Id | null;
}

/** The same of what is offered under these terms, in its order: as its line will be shown once there is one. */
export async function shownOffers(
  ctx: Ctx,
  terms: { readonly currency: Id; readonly fiscalPosition: Id | null },
  offers: readonly OfferedLine[],
): Promise<ShownLine[]> {
  const taxes = await taxesOf(
    ctx,
    offers.flatMap(({ product }) => product ?? []),
  );
  const map = await taxMapping(ctx, terms.fiscalPosition);
  const rules = await taxRules(ctx, map([...taxes.values()].flat()));
  const currency = (await currenciesOf(ctx, [terms.currency])).get(terms.currency) ?? { digits: 2 };
  const taxed = await showsTax(ctx);
  return offers.map((offer) => {
    const own = pick(rules, map(taxes.get(offer.product ?? 0) ?? []));
    const line = { ...offer, ...amountsOf(offer, own, currency), price_list: null };
    return shownLine(line, { currency, taxed, rules: own });
  });
}

interface Showing {
  readonly currency: CurrencyUnits;
  readonly taxed: boolean;
  readonly rules: readonly TaxRule[];
}

function shownLine(line: Line, { currency, taxed, rules }: Showing): ShownLine {
  const amount = (taxed ? line.price_total : line.price_subtotal) ?? 0;
  if (isBare(line)) {
    const unit = fromMinor(shownAmount(line.price_unit, 1, rules, currency, taxed), currency);
    const was = toMinor(decimal(unit).times(line.product_uom_qty), currency);
    return { unit, list: listOf(line, unit, currency), amount, was };
  }
  const unit = unitOf(line, amount, { currency, taxed });
  return {
    unit,
    list: listOf(line, unit, currency),
    amount,
    was: hasDiscount(line) ? toMinor(decimal(unit).times(line.product_uom_qty), currency) : amount,
  };
}

/** The price of one piece with the fewest digits that come to the amount. */
function unitOf(line: Line, amount: Minor, { currency, taxed }: Omit<Showing, 'rules'>): Decimal {
  const pieces = decimal(line.product_uom_qty).times(kept(line));
  const exact = exactAmount(line, taxed).div(pieces).round(12);
  // A price that is shown as it is kept is shown to its last digit.
  const least = exact.eq(line.price_unit) ? Math.max(currency.digits, exact.places()) : currency.digits;
  // Rounding of each tax can move the amount a little from what the price comes to.
  const paid = decimal(fromMinor(amount, currency)).div(pieces);
  for (let places = least; places <= MOST_PLACES; places++) {
    const fits = [exact, paid]
      .map((unit) => unit.round(places))
      .find((unit) => toMinor(unit.times(pieces), currency) === amount);
    if (fits) return fits.toString();
  }
  return paid.round(MOST_PLACES).toString();
}

/** The line before rounding, with all its taxes or without any. */
function exactAmount(line: Line, taxed: boolean) {
  const asked = decimal(line.price_unit).times(line.product_uom_qty).times(kept(line));
  return (line.tax_detail ?? [])
    .filter(({ included }) => included !== taxed)
    .reduce((sum, { exactAmount: tax }) => (taxed ? sum.plus(tax) : sum.minus(tax)), asked);
}

function listOf(line: Line, unit: Decimal, currency: CurrencyUnits): Decimal {
  const price = decimal(line.price_unit);
  if (!line.price_list || price.isZero()) return unit;
  return decimal(unit).times(line.price_list).div(price).round(currency.digits).toString();
}

const kept = ({ discount }: Pick<Line, 'discount'>) =>
  decimal('100')
    .minus(discount ?? '0')
    .div(100);

const hasDiscount = (line: Pick<Line, 'discount'>): boolean => !kept(line).eq(1);

/** Whether nothing is asked for the line, whatever its price: none of it, or all of it taken off. */
const isBare = (line: Pick<Line, 'discount' | 'product_uom_qty'>): boolean =>
  kept(line).isZero() || decimal(line.product_uom_qty).isZero();
