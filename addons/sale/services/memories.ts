import { Currency } from '#addons/base';
import { type Ctx, type Id, type Ids, memory } from '#core';
import type { Memory } from '#core/http';
import type { ServiceClass } from '#core/kernel';
import { FiscalPositionTax } from '../models/account-fiscal-position-tax.ts';
import { AccountTax } from '../models/account-tax.ts';
import { ProductProduct } from '../models/product-product.ts';
import { SaleCompany } from '../models/res-company.ts';
import { readBases } from './pricing/bases.ts';
import { readListRules } from './pricing/price-rules.ts';
import { valueNames } from './product/value-names.ts';

/*
 * What carts and pages ask for all the time and what changes seldom: kept in memory until it changes. A cart's line is then changed without reading
 * products, taxes and rules of prices once more.
 */

/** Ids as a key, each once, in order. */
export function keyOf(ids: Ids): string {
  return [...new Set(ids)].sort((a, b) => a - b).join(',');
}

/** The ids of a key. */
export function idsOf(key: string): Id[] {
  return key === '' ? [] : key.split(',').map(Number);
}

/** From memory for whoever works with lifted rights; others read under their own. */
export function remembered<T>(
  ctx: Ctx,
  token: ServiceClass<Memory<T>>,
  read: (ctx: Ctx, key: string) => Promise<T>,
  key: string,
): Promise<T> {
  return ctx.su ? ctx.get(token).get(ctx, key) : read(ctx, key);
}

export const readCurrencies = async (ctx: Ctx, key: string) => {
  const rows = await ctx.model(Currency).find(
    [
      ['id', 'in', idsOf(key)],
      ['active', 'in', [true, false]],
    ],
    { select: { name: true, rate: true, decimal_places: true, rounding: true } },
  );
  return new Map(rows.map((row) => [row.id, row]));
};
export const currencyMemory = memory('sale.currencies', { read: readCurrencies });

export const readTaxes = async (ctx: Ctx, key: string) => {
  const rows = await ctx.model(AccountTax).find(
    [
      ['id', 'in', idsOf(key)],
      ['active', 'in', [true, false]],
    ],
    {
      select: { type: true, amount: true, price_include: true, include_base_amount: true, sequence: true },
    },
  );
  return new Map(rows.map((row) => [row.id, row]));
};
export const taxMemory = memory('sale.taxes', { read: readTaxes });

export const readMapping = (ctx: Ctx, position: string) =>
  ctx
    .model(FiscalPositionTax)
    .find([['position_id', '=', Number(position)]], { select: { tax_src_id: true, tax_dest_id: true } });
export const mappingMemory = memory('sale.tax_mappings', { read: readMapping });

/** `language:ids`. */
export const readTexts = async (given: Ctx, key: string) => {
  const [lang = '', ids = ''] = key.split(':');
  const ctx = lang === given.lang ? given : given.as({ lang });
  const rows = await ctx.model(ProductProduct).find(
    [
      ['id', 'in', idsOf(ids)],
      ['active', 'in', [true, false]],
    ],
    {
      select: {
        attribute_value_ids: valueNames,
        product_tmpl_id: { name: true, description_sale: true, taxes_id: true, uom_id: true },
      },
    },
  );
  return new Map(rows.map((row) => [row.id, row]));
};
export const textMemory = memory('sale.product_texts', { read: readTexts });

export const readStocked = async (ctx: Ctx, key: string) => {
  const rows = await ctx.model(ProductProduct).find(
    [
      ['id', 'in', idsOf(key)],
      ['product_tmpl_id.inventory', '=', 'kept'],
      ['active', 'in', [true, false]],
    ],
    { select: {} },
  );
  return new Set(rows.map(({ id }) => id));
};
export const stockedMemory = memory('sale.stocked', { read: readStocked });

/** Those that are sold at all. */
export const readBuyable = async (ctx: Ctx, key: string): Promise<ReadonlySet<Id>> => {
  const rows = await ctx.model(ProductProduct).find(
    [
      ['id', 'in', idsOf(key)],
      ['sale_ok', '=', true],
      ['product_tmpl_id.active', '=', true],
    ],
    { select: {} },
  );
  return new Set(rows.map(({ id }) => id));
};
export const buyableMemory = memory('sale.buyable', { read: readBuyable });

/** How a company rounds taxes. */
export const readRounding = async (ctx: Ctx, key: string) => {
  const [row] = await ctx.model(SaleCompany).read([Number(key)], { select: { tax_calculation_rounding_method: true } });
  return row?.tax_calculation_rounding_method ?? 'round_per_line';
};
export const roundingMemory = memory('sale.rounding', { read: readRounding });

export const readPriceBases = (ctx: Ctx, key: string) => readBases(ctx, idsOf(key));
export const baseMemory = memory('sale.price_bases', { read: readPriceBases });

/** `pricelist:products`. */
export const readRules = (ctx: Ctx, key: string) => {
  const [list = '', products = ''] = key.split(':');
  return readListRules(ctx, Number(list), idsOf(products));
};
export const ruleMemory = memory('sale.price_rules', { read: readRules });

/** How currencies are written. */
export const readFormats = async (ctx: Ctx, key: string) => {
  const rows = await ctx.model(Currency).find(
    [
      ['id', 'in', idsOf(key)],
      ['active', 'in', [true, false]],
    ],
    { select: { name: true, symbol: true, position: true, decimal_places: true, rounding: true } },
  );
  return new Map(
    rows.map(({ id, name, symbol, position, decimal_places, rounding }) => [
      id,
      { id, code: name, symbol, position, digits: decimal_places, rounding },
    ]),
  );
};
export const formatMemory = memory('sale.currency_formats', { read: readFormats });

/** `language:ids`. What taxes are called on documents. */
export const readTaxLabels = async (given: Ctx, key: string) => {
  const [lang = '', ids = ''] = key.split(':');
  const rows = await (lang === given.lang ? given : given.as({ lang })).model(AccountTax).find(
    [
      ['id', 'in', idsOf(ids)],
      ['active', 'in', [true, false]],
    ],
    { select: { name: true, description: true } },
  );
  return new Map(rows.map(({ id, name, description }) => [id, description ?? name]));
};
export const taxLabelMemory = memory('sale.tax_labels', { read: readTaxLabels });

export const memories = [
  formatMemory,
  taxLabelMemory,
  currencyMemory,
  taxMemory,
  mappingMemory,
  textMemory,
  stockedMemory,
  buyableMemory,
  roundingMemory,
  baseMemory,
  ruleMemory,
];
