import {
  FiscalPosition,
  moneyTexts,
  orderColumns,
  Pricing,
  SaleOrder,
  SaleOrderLine,
  type ShownLine,
  type TotalRow,
  taxLabels,
  totalRows,
} from '@pergola/sale';
import { type Ctx, type CurrencyUnits, type Decimal, decimal, type Id, type Minor, toMinor } from 'pergola';
import { t } from '../../texts.ts';
import { type CurrencyView, currencyViews } from '../catalogue/price-view.ts';

/** Totals of an order as shown on pages. */
export interface Totals {
  readonly total: Minor;
  /** Subtotal, taxes and total as text. */
  readonly rows: readonly TotalRow[];
  /** Savings from pricelists (promo codes), as shown on the lines. */
  readonly saved: Minor;
  readonly currency: CurrencyView;
  /** Whether taxes may still change because the destination isn't known yet. */
  readonly provisional: boolean;
  /** Why the order's tax number doesn't reduce taxes, or that it is still being checked; null if there is no notice. */
  readonly vatNote: string | null;
}

/** Fallback for amounts whose currency was deleted. */
const unknownCurrency: CurrencyView = { id: 0, code: 'EUR', symbol: '€', position: 'after', digits: 2 };

/** Everything the cart page updates after a change. */
export interface CartState {
  readonly totals: Totals;
  readonly quantity: number;
  readonly lines: readonly { readonly id: Id; readonly amount: Minor }[];
}

/** Returns the totals of the caller's cart after a change, with few queries because customers click fast. Needs elevated rights. */
export async function cartState(ctx: Ctx, id: Id): Promise<CartState> {
  const order = await ctx.model(SaleOrder).get(id, {
    select: {
      ...orderColumns,
      order_line: { product_uom_qty: true },
      invoice_vat: true,
      invoice_vat_state: true,
    },
  });
  const sums = order.tax_sums ?? [];
  const names = await taxLabels(
    ctx,
    sums.map(({ tax }) => tax),
  );
  const prices = await ctx.model(SaleOrderLine).shown(order.order_line.map((line) => line.id));
  const currency = (await currencyViews(ctx, [order.currency_id])).get(order.currency_id) ?? unknownCurrency;
  return {
    totals: {
      total: order.amount_total ?? 0,
      rows: totalRows(
        ctx,
        {
          untaxed: order.amount_untaxed ?? 0,
          total: order.amount_total ?? 0,
          taxes: sums.map(({ tax, amount }) => ({ label: names.get(tax) ?? '', amount })),
        },
        await moneyTexts(ctx, order.currency_id),
        await ctx.get(Pricing).showsTax(),
      ),
      saved: order.order_line.reduce(
        (sum, { id: line, product_uom_qty }) => sum + savingsOf(prices.get(line), product_uom_qty, currency),
        0,
      ),
      currency,
      provisional: order.state === 'draft' && order.invoice_country_id === null,
      vatNote: await vatNote(ctx, order),
    },
    quantity: order.order_line.reduce((sum, line) => sum + decimal(line.product_uom_qty).toNumber(), 0),
    lines: order.order_line.map(({ id: line }) => ({ id: line, amount: prices.get(line)?.amount ?? 0 })),
  };
}

async function vatNote(
  ctx: Ctx,
  order: {
    readonly invoice_vat: string | null;
    readonly invoice_vat_state: string | null;
    readonly fiscal_position: Id | null;
  },
): Promise<string | null> {
  const { invoice_vat: number, invoice_vat_state: state, fiscal_position: position } = order;
  if (!number || state === 'valid' || state === null) return null;
  if (state === 'invalid')
    return t(ctx, 'The EU register VIES doesn’t list the VAT number {number}, so VAT is charged.', { number });
  const isReverseCharge =
    position !== null &&
    ((await ctx.model(FiscalPosition).read([position], { select: { vat_required: true } }))[0]?.vat_required ?? false);
  if (state === 'unverified')
    return isReverseCharge
      ? t(ctx, 'We’ll check the VAT number {number} before we deliver.', { number })
      : t(ctx, 'We couldn’t confirm the VAT number {number} yet, so VAT is charged.', { number });
  return null;
}

/** Amount a line saves through pricelist rules; 0 if they raised its price. */
function savingsOf(line: ShownLine | undefined, quantity: Decimal, currency: CurrencyUnits): Minor {
  if (!line) return 0;
  return Math.max(0, toMinor(decimal(line.list).minus(line.unit).times(quantity), currency));
}

/** Returns the totals of an order that was verified to be the caller's. Needs elevated rights. */
export async function totalsOf(ctx: Ctx, id: Id): Promise<Totals> {
  return (await cartState(ctx, id)).totals;
}
