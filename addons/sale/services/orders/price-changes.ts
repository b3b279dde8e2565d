import { createHash } from 'node:crypto';
import type { ChangeReview } from '@pergola/web';
import { type Ctx, type Decimal, decimal, fromMinor, type Id, type Ids, type Minor } from 'pergola';
import type { KeptTax } from '../../models/sale-order-line.ts';
import { t } from '../../texts.ts';
import { currencies } from '../currencies.ts';
import { formatPercent, formatQuantity, moneyTexts } from '../formats.ts';
import { pick, taxLabels, taxRules } from '../tax/tax-rules.ts';
import { amountsOf } from './line-money.ts';
import { type Offer, type OfferedPrice, sameTaxes } from './offer.ts';
import { orderTotals, taxRounding } from './totals.ts';

/** A line of a quotation, with the fields that determine its amounts. */
export interface PricedLine {
  readonly id: Id;
  readonly product_id: Id | null;
  readonly name: string;
  readonly product_uom_qty: Decimal;
  readonly price_unit: Decimal;
  readonly price_list: Decimal | null;
  readonly discount: Decimal | null;
  readonly tax_id: Ids;
  readonly last_offer: OfferedPrice | null;
  readonly price_subtotal: Minor | null;
  readonly price_tax: Minor | null;
  readonly price_total: Minor | null;
  readonly tax_detail: readonly KeptTax[] | null;
}

/** A quotation whose prices are compared with the shop's. */
export interface PricedOrder {
  readonly version: string | null;
  readonly currency_id: Id;
  readonly company_id: Id;
  readonly amount_total: Minor | null;
  readonly order_line: readonly PricedLine[];
}

/** A line whose amount differs at the shop's current prices. Amounts are line totals with tax, in major units. */
export interface PriceChange {
  readonly line: Id;
  readonly price_before: Decimal;
  readonly price_after: Decimal;
  readonly amount_before: Decimal;
  readonly amount_after: Decimal;
  /** Whether price, discount or taxes were set by hand; the line then only changes if it is selected. */
  readonly is_by_hand: boolean;
  readonly selected: boolean;
}

/** Price changes of a quotation, for programs and for the backend's dialog. */
export interface PriceChanges extends ChangeReview {
  readonly changes: readonly PriceChange[];
  readonly total_before: Decimal;
  readonly total_after: Decimal;
}

/**
 * Compares the lines of a quotation with the shop's current offers. Writes nothing.
 *
 * @param offers by line; lines without an offer are no longer sold and don't change
 * @param selected lines to change; by default all lines whose price, discount and taxes weren't set by hand
 */
export async function priceChanges(
  ctx: Ctx,
  order: PricedOrder,
  offers: ReadonlyMap<Id, Offer>,
  selected: Ids | null,
): Promise<PriceChanges> {
  const currency = (await currencies.get(ctx, [order.currency_id])).get(order.currency_id) ?? { digits: 2 };
  const differing = order.order_line.flatMap((line) => {
    const offer = offers.get(line.id);
    const difference = offer && differenceOf(line, offer);
    return offer && difference ? [{ line, offer, ...difference }] : [];
  });
  const taxes = [...new Set(differing.flatMap(({ line, offer }) => [...line.tax_id, ...offer.tax_id]))];
  const rules = await taxRules.get(ctx, taxes);
  const labels = await taxLabels(ctx, taxes);
  const isSelected = (line: Id, isByHand: boolean): boolean => (selected ? selected.includes(line) : !isByHand);
  const changes = differing.map(({ line, offer, byHand, taxesDiffer }) => {
    const amounts = amountsOf(
      { product_uom_qty: line.product_uom_qty, price_unit: offer.price_unit, discount: '0' },
      pick(rules, offer.tax_id),
      currency,
    );
    return { line, offer, amounts, taxesDiffer, byHand, isSelected: isSelected(line.id, byHand.length > 0) };
  });
  const selectedChanges = new Map(changes.flatMap((change) => (change.isSelected ? [[change.line.id, change]] : [])));
  const { amount_total: after } = orderTotals(
    order.order_line.map((line) => {
      const change = selectedChanges.get(line.id);
      return change ? { ...line, price_unit: change.offer.price_unit, discount: '0', ...change.amounts } : line;
    }),
    {
      currency,
      roundsGlobally: (await taxRounding.get(ctx, order.company_id)) === 'round_globally',
    },
  );
  const before = order.amount_total ?? 0;
  const money = await moneyTexts(ctx, order.currency_id);
  const signed = (amount: Minor): string => `${amount > 0 ? '+' : ''}${money.amount(amount)}`;
  const taxTexts = (ids: Ids): string => ids.map((id) => labels.get(id)).join(', ') || t(ctx, 'no tax');
  return {
    // Also covers the offers, so that a price change in the meantime must be confirmed again.
    version: versionOf(order, differing),
    changes: changes.map(({ line, offer, amounts, byHand, isSelected }) => ({
      line: line.id,
      price_before: line.price_unit,
      price_after: offer.price_unit,
      amount_before: fromMinor(line.price_total ?? 0, currency),
      amount_after: fromMinor(amounts.price_total, currency),
      is_by_hand: byHand.length > 0,
      selected: isSelected,
    })),
    total_before: fromMinor(before, currency),
    total_after: fromMinor(after, currency),
    columns: [t(ctx, 'Current price'), t(ctx, 'New price'), t(ctx, 'Difference')],
    rows: changes.map(({ line, offer, amounts, taxesDiffer, byHand, isSelected }) => ({
      id: line.id,
      label: `${formatQuantity(ctx, line.product_uom_qty)} × ${line.name.split('\n', 1)[0] ?? ''}`,
      notes: [
        ...byHand.map((reason) => handText(ctx, reason, line)),
        ...(taxesDiffer
          ? [t(ctx, 'Taxes: {before} → {after}', { before: taxTexts(line.tax_id), after: taxTexts(offer.tax_id) })]
          : []),
      ],
      cells: [
        money.price(line.price_unit),
        money.price(offer.price_unit),
        signed(amounts.price_total - (line.price_total ?? 0)),
      ],
      selected: isSelected,
    })),
    totals: [
      { label: t(ctx, 'Current total'), value: money.amount(before) },
      { label: t(ctx, 'New total'), value: money.amount(after) },
    ],
    empty: t(ctx, 'All prices are up to date.'),
  };
}

type Reason = 'price' | 'discount' | 'taxes';

/** Returns how a line differs from the shop's offer, and which values were set by hand; null if it doesn't differ. */
function differenceOf(line: PricedLine, offer: Offer): { taxesDiffer: boolean; byHand: readonly Reason[] } | null {
  const priceDiffers = !decimal(line.price_unit).eq(offer.price_unit);
  const taxesDiffer = !sameTaxes(line.tax_id, offer.tax_id);
  const isDiscounted = !decimal(line.discount ?? '0').isZero();
  if (!priceDiffers && !taxesDiffer && !isDiscounted) return null;
  const { last_offer: lastOffer } = line;
  const byHand: Reason[] = [];
  if (priceDiffers && !isShopPrice(line)) byHand.push('price');
  if (isDiscounted) byHand.push('discount');
  if (taxesDiffer && !(lastOffer && sameTaxes(lastOffer.tax_id, line.tax_id))) byHand.push('taxes');
  return { taxesDiffer, byHand };
}

/** Whether a line has the price the shop offered at the time. */
function isShopPrice({ last_offer: lastOffer, price_unit, price_list }: PricedLine): boolean {
  if (lastOffer) return decimal(lastOffer.price_unit).eq(price_unit);
  // Lines from earlier versions only store the list price.
  return price_list !== null && !decimal(price_list).isZero() && decimal(price_list).eq(price_unit);
}

function handText(ctx: Ctx, reason: Reason, line: PricedLine): string {
  if (reason === 'price') return t(ctx, 'Price set manually');
  if (reason === 'taxes') return t(ctx, 'Taxes set manually');
  return t(ctx, 'Discount of {percent} would be removed', { percent: formatPercent(ctx, line.discount) });
}

function versionOf(order: PricedOrder, differing: readonly { readonly line: PricedLine; readonly offer: Offer }[]) {
  const offers = differing.map(({ line, offer }) => [line.id, line.price_unit, line.discount, line.tax_id, offer]);
  return createHash('sha256')
    .update(JSON.stringify([order.version, offers]))
    .digest('base64url');
}
