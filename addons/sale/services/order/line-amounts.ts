import { type Ctx, type CurrencyUnits, type Decimal, decimal, type Id, type Ids, type Minor } from '#core';
import { type KeptTax, SaleOrderLine } from '../../models/sale-order-line.ts';
import { currenciesOf } from '../pricing/currencies.ts';
import { exactTaxes, type TaxRule } from '../tax/exact-taxes.ts';
import { roundTaxes } from '../tax/round-taxes.ts';
import { pick, taxRules } from '../tax/rules.ts';

export interface LineAmounts {
  price_subtotal: Minor;
  price_tax: Minor;
  price_total: Minor;
  tax_detail: KeptTax[];
}

/** Amounts of lines, each rounded by itself; see `services/tax`. */
export async function lineAmounts(ctx: Ctx, ids: Ids): Promise<Map<Id, LineAmounts>> {
  const rows = await ctx.model(SaleOrderLine).read(ids, {
    select: {
      product_uom_qty: true,
      price_unit: true,
      discount: true,
      tax_id: true,
      order_id: { currency_id: true },
    },
  });
  const rules = await taxRules(
    ctx,
    rows.flatMap(({ tax_id }) => tax_id),
  );
  const currencies = await currenciesOf(
    ctx,
    rows.flatMap(({ order_id }) => order_id?.currency_id ?? []),
  );
  return new Map(
    rows.map(({ id, order_id, ...line }) => {
      const currency = currencies.get(order_id?.currency_id ?? 0) ?? { digits: 2 };
      return [id, amountsOf(line, pick(rules, line.tax_id), currency)];
    }),
  );
}

/** What a line asks for. */
export interface Asked {
  readonly product_uom_qty: Decimal;
  readonly price_unit: Decimal;
  readonly discount: Decimal | null;
}

/** What so many pieces at a price, less a discount, come to. */
export function amountsOf(
  { product_uom_qty, price_unit, discount }: Asked,
  rules: readonly TaxRule[],
  currency: CurrencyUnits,
): LineAmounts {
  const kept = decimal('100')
    .minus(discount ?? '0')
    .div(100);
  const exact = exactTaxes(decimal(price_unit).times(product_uom_qty).times(kept), product_uom_qty, rules);
  const rounded = roundTaxes(exact, currency);
  const detail = rounded.taxes.map((tax, place) => ({
    tax: tax.id,
    included: tax.included,
    base: tax.base,
    amount: tax.amount,
    exactBase: exact.taxes[place]?.base.toString() ?? '0',
    exactAmount: exact.taxes[place]?.amount.toString() ?? '0',
  }));
  return {
    price_subtotal: rounded.untaxed,
    price_tax: rounded.tax,
    price_total: rounded.total,
    tax_detail: detail,
  };
}
