import { type Ctx, type Decimal, decimal, type Id, type Ids } from '#core';
import { FiscalPosition } from '../../models/account-fiscal-position.ts';
import { SalePartner } from '../../models/res-partner.ts';
import { mappingMemory, readMapping, remembered } from '../memories.ts';
import { exactTaxes, type TaxRule } from './exact-taxes.ts';

/** Where something goes, and to whom. */
export interface Destination {
  readonly partner?: Id | null;
  readonly country?: Id | null;
  /** The customer's tax number, if they gave one. */
  readonly vat?: string | null;
}

/**
 * The fiscal position for a customer: their own; else the first that applies by itself and fits the country, where those for customers with a
 * tax number come before the others; else none.
 */
export async function fiscalPositionFor(ctx: Ctx, { partner, country, vat }: Destination): Promise<Id | null> {
  if (partner) {
    const [own] = await ctx.model(SalePartner).read([partner], { select: { property_account_position: true } });
    if (own?.property_account_position) return own.property_account_position;
  }
  const positions = await ctx
    .model(FiscalPosition)
    .find([['auto_apply', '=', true]], { select: { vat_required: true, country_ids: true } });
  const fitting = positions.filter(
    ({ vat_required, country_ids }) =>
      (!vat_required || Boolean(vat)) &&
      (country_ids.length === 0 || (country !== null && country !== undefined && country_ids.includes(country))),
  );
  const particular = (one: (typeof fitting)[number]): number =>
    (one.country_ids.length > 0 ? 2 : 0) + (one.vat_required ? 1 : 0);
  fitting.sort((a, b) => particular(b) - particular(a));
  return fitting[0]?.id ?? null;
}

/** What stands for each tax under a fiscal position: itself unless the position maps it. */
export type TaxMapping = (taxes: Ids) => Id[];

/** The mapping of a fiscal position; everything stays as it is without one. */
export async function taxMapping(ctx: Ctx, position: Id | null): Promise<TaxMapping> {
  if (position === null) return (taxes) => [...taxes];
  const rows = await remembered(ctx, mappingMemory, readMapping, String(position));
  const targets = Map.groupBy(rows, ({ tax_src_id }) => tax_src_id);
  return (taxes) => [
    ...new Set(
      taxes.flatMap((tax) => {
        const mapped = targets.get(tax);
        return mapped ? mapped.flatMap(({ tax_dest_id }) => tax_dest_id ?? []) : [tax];
      }),
    ),
  ];
}

/**
 * The unit price once other taxes stand for those of the product: what the price included comes off, what it has to include now goes on. Exact until
 * the end, so 10.00 stays 10.00 where one tax of 20 % stands for another.
 */
export function mappedPrice(price: Decimal, from: readonly TaxRule[], to: readonly TaxRule[]): Decimal {
  const before = from.filter(({ price_include }) => price_include);
  const after = to.filter(({ price_include }) => price_include);
  const same = before.length === after.length && before.every(({ id }) => after.some((tax) => tax.id === id));
  if (same) return price;
  const { net } = exactTaxes(decimal(price), 1, from);
  return gross(net, to).round(6).toString();
}

/** A net price with the taxes that prices include. */
function gross(net: ReturnType<typeof decimal>, rules: readonly TaxRule[]): ReturnType<typeof decimal> {
  // Taken as taxes that come on top, the rules say what each adds to the net.
  const { taxes } = exactTaxes(
    net,
    1,
    rules.map((rule) => ({ ...rule, price_include: false })),
  );
  const included = new Set(rules.filter(({ price_include }) => price_include).map(({ id }) => id));
  return taxes.filter(({ id }) => included.has(id)).reduce((sum, { amount }) => sum.plus(amount), net);
}
