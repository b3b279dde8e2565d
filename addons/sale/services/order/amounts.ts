import { createHash } from 'node:crypto';
import { type Ctx, type CurrencyUnits, type Decimal, decimal, type Id, type Ids, type Minor } from '#core';
import { type KeptTaxSum, SaleOrder } from '../../models/sale-order.ts';
import type { KeptTax } from '../../models/sale-order-line.ts';
import { readRounding, remembered, roundingMemory } from '../memories.ts';
import { currenciesOf } from '../pricing/currencies.ts';
import type { ExactTaxes } from '../tax/exact-taxes.ts';
import { addTaxes, roundTaxes } from '../tax/round-taxes.ts';

export interface OrderAmounts {
  amount_untaxed: Minor;
  amount_tax: Minor;
  amount_total: Minor;
  tax_sums: KeptTaxSum[];
  cart_quantity: number;
  version: string;
}
interface Line {
  readonly id: Id;
  readonly product_id: Id | null;
  readonly name: string;
  readonly product_uom_qty: Decimal;
  readonly price_unit: Decimal;
  readonly discount: Decimal | null;
  readonly price_subtotal: Minor | null;
  readonly price_tax: Minor | null;
  readonly price_total: Minor | null;
  readonly tax_detail: readonly KeptTax[] | null;
}

const line = {
  product_id: true,
  name: true,
  product_uom_qty: true,
  price_unit: true,
  discount: true,
  price_subtotal: true,
  price_tax: true,
  price_total: true,
  tax_detail: true,
} as const;

/** Totals of orders: the sums of what their lines show, or rounded once over the whole order where the company counts so. */
export async function orderAmounts(ctx: Ctx, ids: Ids): Promise<Map<Id, OrderAmounts>> {
  const rows = await ctx.model(SaleOrder).read(ids, {
    select: {
      currency_id: true,
      company_id: true,
      order_line: line,
    },
  });
  const currencies = await currenciesOf(
    ctx,
    rows.map(({ currency_id }) => currency_id),
  );
  const methods = new Map<Id, string>();
  for (const company of new Set(rows.map(({ company_id }) => company_id))) {
    methods.set(company, await remembered(ctx, roundingMemory, readRounding, String(company)));
  }
  return new Map(
    rows.map(({ id, currency_id, company_id, order_line }) => {
      const currency = currencies.get(currency_id) ?? { digits: 2 };
      const globally = methods.get(company_id) === 'round_globally';
      const totals = globally ? overall(order_line, currency) : perLine(order_line);
      const pieces = order_line.reduce((sum, one) => sum.plus(one.product_uom_qty), decimal('0'));
      return [
        id,
        {
          ...totals,
          cart_quantity: Math.trunc(pieces.toNumber()),
          version: fingerprint(currency_id, totals.amount_total, order_line),
        },
      ];
    }),
  );
}

type Totals = Pick<OrderAmounts, 'amount_untaxed' | 'amount_tax' | 'amount_total' | 'tax_sums'>;

function perLine(lines: readonly Line[]): Totals {
  const sums = new Map<Id, { tax: Id; base: Minor; amount: Minor }>();
  for (const { tax, base, amount } of lines.flatMap(({ tax_detail }) => tax_detail ?? [])) {
    const before = sums.get(tax) ?? { tax, base: 0, amount: 0 };
    sums.set(tax, { tax, base: before.base + base, amount: before.amount + amount });
  }
  const untaxed = lines.reduce((sum, one) => sum + (one.price_subtotal ?? 0), 0);
  const tax = lines.reduce((sum, one) => sum + (one.price_tax ?? 0), 0);
  return { amount_untaxed: untaxed, amount_tax: tax, amount_total: untaxed + tax, tax_sums: [...sums.values()] };
}

function overall(lines: readonly Line[], currency: CurrencyUnits): Totals {
  const { untaxed, tax, total, taxes } = roundTaxes(addTaxes(lines.map(exactOf)), currency);
  return {
    amount_untaxed: untaxed,
    amount_tax: tax,
    amount_total: total,
    tax_sums: taxes.map(({ id, base, amount }) => ({ tax: id, base, amount })),
  };
}

/** A line before rounding: what it asks for, less the taxes that are in it. */
function exactOf({ price_unit, product_uom_qty, discount, tax_detail }: Line): ExactTaxes {
  const kept = decimal('100')
    .minus(discount ?? '0')
    .div(100);
  const taxes = (tax_detail ?? []).map((tax) => ({
    id: tax.tax,
    included: tax.included,
    base: decimal(tax.exactBase),
    amount: decimal(tax.exactAmount),
  }));
  const price = decimal(price_unit).times(product_uom_qty).times(kept);
  const net = taxes.filter(({ included }) => included).reduce((left, { amount }) => left.minus(amount), price);
  return { net, taxes };
}

function fingerprint(currency: Id, total: Minor, lines: readonly Line[]): string {
  const content = lines.map((one) => [
    one.id,
    one.product_id,
    one.name,
    one.product_uom_qty,
    one.price_unit,
    one.discount,
    one.price_total,
    one.tax_detail?.map(({ tax, amount }) => [tax, amount]),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([currency, total, content]))
    .digest('base64url');
}
