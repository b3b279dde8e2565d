import { type Ctx, type CurrencyUnits, type Decimal, decimal, type Id, kept, type Minor } from 'pergola';
import { SaleCompany } from '../../models/res-company.ts';
import type { KeptTaxSum } from '../../models/sale-order-fields.ts';
import type { KeptTax } from '../../models/sale-order-line.ts';
import { addTaxes, type ExactTaxes, roundTaxes } from '../tax/taxes.ts';

/** Stored amounts of an order. */
export interface OrderAmounts {
  amount_untaxed: Minor;
  amount_tax: Minor;
  amount_total: Minor;
  tax_sums: KeptTaxSum[];
  cart_quantity: number;
}
/** Line fields that determine the totals. */
interface Line {
  readonly product_uom_qty: Decimal;
  readonly price_unit: Decimal;
  readonly discount: Decimal | null;
  readonly price_subtotal: Minor | null;
  readonly price_tax: Minor | null;
  readonly price_total: Minor | null;
  readonly tax_detail: readonly KeptTax[] | null;
}

/** Calculates an order's totals: the sum of rounded lines, or rounded once per order if the company is set to round globally. */
export function orderTotals(
  lines: readonly Line[],
  options: { readonly currency: CurrencyUnits; readonly roundsGlobally: boolean },
): OrderAmounts {
  const totals = options.roundsGlobally ? roundedOverOrder(lines, options.currency) : summedPerLine(lines);
  const pieces = lines.reduce((sum, line) => sum.plus(line.product_uom_qty), decimal('0'));
  return {
    ...totals,
    cart_quantity: Math.trunc(pieces.toNumber()),
  };
}

/** Tax rounding method of a company. */
export const taxRounding = kept('sale.rounding', async (ctx: Ctx, company: Id) => {
  const [row] = await ctx.model(SaleCompany).read([company], { select: { tax_calculation_rounding_method: true } });
  return row?.tax_calculation_rounding_method ?? 'round_per_line';
});

type Totals = Pick<OrderAmounts, 'amount_untaxed' | 'amount_tax' | 'amount_total' | 'tax_sums'>;

function summedPerLine(lines: readonly Line[]): Totals {
  const sums = new Map<Id, { tax: Id; base: Minor; amount: Minor }>();
  for (const { tax, base, amount } of lines.flatMap(({ tax_detail }) => tax_detail ?? [])) {
    const sum = sums.get(tax) ?? { tax, base: 0, amount: 0 };
    sums.set(tax, { tax, base: sum.base + base, amount: sum.amount + amount });
  }
  const untaxed = lines.reduce((sum, line) => sum + (line.price_subtotal ?? 0), 0);
  const tax = lines.reduce((sum, line) => sum + (line.price_tax ?? 0), 0);
  return { amount_untaxed: untaxed, amount_tax: tax, amount_total: untaxed + tax, tax_sums: [...sums.values()] };
}

function roundedOverOrder(lines: readonly Line[], currency: CurrencyUnits): Totals {
  const { untaxed, tax, total, taxes } = roundTaxes(addTaxes(lines.map(exactOf)), currency);
  return {
    amount_untaxed: untaxed,
    amount_tax: tax,
    amount_total: total,
    tax_sums: taxes.map(({ id, base, amount }) => ({ tax: id, base, amount })),
  };
}

/** Exact amounts of a line: its price, less included taxes. */
function exactOf({ price_unit, product_uom_qty, discount, tax_detail }: Line): ExactTaxes {
  const part = decimal('100')
    .minus(discount ?? '0')
    .div(100);
  const taxes = (tax_detail ?? []).map((tax) => ({
    id: tax.tax,
    included: tax.included,
    base: decimal(tax.exactBase),
    amount: decimal(tax.exactAmount),
  }));
  const price = decimal(price_unit).times(product_uom_qty).times(part);
  const net = taxes
    .filter(({ included }) => included)
    .reduce((remainder, { amount }) => remainder.minus(amount), price);
  return { net, taxes };
}
