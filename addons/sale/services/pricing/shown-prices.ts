import { type Ctx, type Decimal, decimal, type Id, type Ids, type Minor, memory, toMinor } from '#core';
import type { DecimalInput } from '#core/orm';
import { ProductProduct } from '../../models/product-product.ts';
import { pricesShown } from '../../settings.ts';
import { idsOf, keyOf, remembered } from '../memories.ts';
import { exactTaxes, type TaxRule } from '../tax/exact-taxes.ts';
import { mappedPrice, taxMapping } from '../tax/fiscal-position.ts';
import { pick, taxRules } from '../tax/rules.ts';
import { currenciesOf, type SaleCurrency } from './currencies.ts';
import { type PriceQuery, priceProducts } from './price-products.ts';

/** A unit price as pages show it. */
export interface ShownPrice {
  /** In minor units of the currency. */
  readonly price: Minor;
  /** Before the rules of the pricelist; the same as `price` where none made it cheaper or dearer. */
  readonly list: Minor;
  readonly currency: Id;
  /** Whether tax is in it. */
  readonly taxed: boolean;
  /** As kept, exactly, in major units; for lines of orders. */
  readonly exact: Decimal;
}
export interface ShownFor {
  readonly pricelist: Id | null;
  readonly fiscalPosition?: Id | null;
}

/**
 * Unit prices as the shop shows them, with or without tax by the setting, made by the same tax engine as carts, mails and payments. In the order
 * asked for; null for variants that are not there.
 */
export async function shownPrices(
  ctx: Ctx,
  about: ShownFor,
  queries: readonly PriceQuery[],
): Promise<(ShownPrice | null)[]> {
  const prices = await priceProducts(ctx, about.pricelist, queries);
  const taxes = await taxesOf(
    ctx,
    queries.map(({ product }) => product),
  );
  const show = await shower(
    ctx,
    about.fiscalPosition ?? null,
    [...taxes.values()].flat(),
    prices.flatMap((price) => price?.currency ?? []),
  );
  return prices.map((price, place) => {
    const product = queries[place]?.product ?? 0;
    return price && show(price, taxes.get(product) ?? []);
  });
}

/** Works out how prices are shown: the setting, the taxes and what stands for them, the currencies, all asked for once. */
export async function shower(
  ctx: Ctx,
  fiscalPosition: Id | null,
  taxes: Ids,
  currencies: Ids,
): Promise<(price: { price: Decimal; list: Decimal; currency: Id }, taxes: Ids) => ShownPrice> {
  const taxed = await showsTax(ctx);
  const map = await taxMapping(ctx, fiscalPosition);
  const rules = await taxRules(ctx, [...taxes, ...map(taxes)]);
  const known = await currenciesOf(ctx, currencies);
  return (price, own) => {
    const from = pick(rules, own);
    const to = pick(rules, map(own));
    const exact = mappedPrice(price.price, from, to);
    const units = known.get(price.currency) ?? plain;
    return {
      price: shownAmount(exact, 1, to, units, taxed),
      list: shownAmount(mappedPrice(price.list, from, to), 1, to, units, taxed),
      currency: price.currency,
      taxed,
      exact,
    };
  };
}

/** Whether pages, documents and mails show prices with tax. */
export async function showsTax(ctx: Ctx): Promise<boolean> {
  return (await ctx.settings.get(pricesShown)) === 'included';
}

const plain: Pick<SaleCurrency, 'digits'> = { digits: 2 };

/** What a price comes to with all taxes, or without any. */
export function shownAmount(
  price: Decimal,
  quantity: DecimalInput,
  rules: readonly TaxRule[],
  currency: Pick<SaleCurrency, 'digits' | 'rounding'>,
  taxed: boolean,
): Minor {
  const { net, taxes } = exactTaxes(decimal(price).times(quantity), quantity, rules);
  const amount = taxed ? taxes.reduce((sum, tax) => sum.plus(tax.amount), net) : net;
  // What a division left over far behind the point is no part of the price.
  return toMinor(amount.round(12), currency);
}

/** The taxes of variants, which are those of their products. */
export function taxesOf(ctx: Ctx, products: Ids): Promise<ReadonlyMap<Id, Ids>> {
  return remembered(ctx, productTaxMemory, readProductTaxes, keyOf(products));
}

async function readProductTaxes(ctx: Ctx, key: string): Promise<ReadonlyMap<Id, Ids>> {
  const rows = await ctx.model(ProductProduct).find(
    [
      ['id', 'in', idsOf(key)],
      ['active', 'in', [true, false]],
    ],
    { select: { product_tmpl_id: { taxes_id: true } } },
  );
  return new Map(rows.map(({ id, product_tmpl_id }) => [id, product_tmpl_id?.taxes_id ?? []]));
}
export const productTaxMemory = memory('sale.product_taxes', { read: readProductTaxes });
