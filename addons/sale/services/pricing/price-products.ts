import { type Ctx, type Decimal, decimal, type Id } from '#core';
import type { DecimalInput } from '#core/orm';
import { baseMemory, keyOf, readPriceBases, readRules, remembered, ruleMemory } from '../memories.ts';
import type { Basis } from './bases.ts';
import { convert, currenciesOf, payable, type SaleCurrency } from './currencies.ts';
import { applyRule, type PriceRule, ruleOf } from './price-rules.ts';

/** A price and its currency, which always travel together. */
export interface Price {
  /** Per piece, in major units; as kept, with or without tax as the product's taxes say. */
  readonly price: Decimal;
  /** Before the rules of the pricelist, in the same currency. */
  readonly list: Decimal;
  readonly currency: Id;
  /** The rule that made it; null where the price of the product holds. */
  readonly rule: Id | null;
}
export interface PriceQuery {
  readonly product: Id;
  /** Default 1. */
  readonly quantity?: DecimalInput;
  /** A price of its own, in the currency of the product, in place of the product's list price: what is charged for one ticket among several kinds. */
  readonly list?: Decimal;
}
/**
 * Unit prices of variants under a pricelist (the products' own prices and currency without one), in the order asked for; null for those that are not
 * there. A fixed number of queries, whatever the number of products. Needs the right to read products and pricelists: callers for visitors lift it.
 */
export async function priceProducts(
  ctx: Ctx,
  pricelist: Id | null,
  queries: readonly PriceQuery[],
): Promise<(Price | null)[]> {
  const bases = await basesOf(ctx, [...new Set(queries.map(({ product }) => product))]);
  const prices = await priceBases(
    ctx,
    pricelist,
    queries.map(({ product, quantity = 1, list }) => ({ base: ownPrice(bases.get(product), list), quantity })),
  );
  return prices;
}

function ownPrice(base: Basis | undefined, list: Decimal | undefined): Basis | undefined {
  return base && list !== undefined ? { ...base, list } : base;
}

async function basesOf(ctx: Ctx, products: readonly Id[]): Promise<ReadonlyMap<Id, Basis>> {
  return remembered(ctx, baseMemory, readPriceBases, keyOf(products));
}

interface Asked {
  readonly base: Basis | undefined;
  readonly quantity: DecimalInput;
}

/** @throws NotFound for a pricelist that is not there */
async function priceBases(ctx: Ctx, pricelist: Id | null, asked: readonly Asked[]): Promise<(Price | null)[]> {
  const bases = asked.flatMap(({ base }) => base ?? []);
  if (pricelist === null) {
    return asked.map(({ base }) =>
      base ? { price: base.list, list: base.list, currency: base.currency, rule: null } : null,
    );
  }
  const key = `${pricelist}:${keyOf(bases.map(({ product }) => product))}`;
  const { currency, rules } = await remembered(ctx, ruleMemory, readRules, key);
  const currencies = await currenciesOf(ctx, [currency, ...bases.map((base) => base.currency)]);
  const target = currencies.get(currency);
  const others = await otherLists(ctx, rules, asked);
  return asked.map(({ base, quantity }) => {
    if (!base) return null;
    const rule = ruleOf(rules, base, quantity);
    const source = currencies.get(base.currency);
    const own = convert(base.list, source, target);
    if (!rule) return { price: own, list: own, currency, rule: null };
    const price = applyRule(rule, baseOf(rule, base, quantity, { source, target, own, others }));
    return {
      price: rule.compute_price === 'fixed' || !target ? price : payable(price, target),
      list: own,
      currency,
      rule: rule.id,
    };
  });
}

interface Surroundings {
  readonly source: SaleCurrency | undefined;
  readonly target: SaleCurrency | undefined;
  readonly own: Decimal;
  readonly others: ReadonlyMap<string, { price: Decimal; currency: SaleCurrency | undefined }>;
}

/** What a rule starts from, in the currency of its list. */
function baseOf(rule: PriceRule, base: Basis, quantity: DecimalInput, around: Surroundings): Decimal {
  if (rule.compute_price === 'fixed') return '0';
  if (rule.base === 'standard_price') return convert(base.cost, around.source, around.target);
  if (rule.base !== 'pricelist') return around.own;
  const other = around.others.get(otherKey(rule.base_pricelist_id ?? 0, base, quantity));
  return other ? convert(other.price, other.currency, around.target) : around.own;
}

/** Prices of other lists that rules go by; lists never go by each other in a circle. */
async function otherLists(
  ctx: Ctx,
  rules: readonly PriceRule[],
  asked: readonly Asked[],
): Promise<Map<string, { price: Decimal; currency: SaleCurrency | undefined }>> {
  const found = new Map<string, { price: Decimal; currency: SaleCurrency | undefined }>();
  const lists = new Set(
    rules.flatMap((rule) =>
      rule.base === 'pricelist' && rule.compute_price !== 'fixed' ? (rule.base_pricelist_id ?? []) : [],
    ),
  );
  for (const list of lists) {
    const prices = await priceBases(ctx, list, asked);
    const currencies = await currenciesOf(
      ctx,
      prices.flatMap((price) => price?.currency ?? []),
    );
    asked.forEach(({ base, quantity }, place) => {
      const price = prices[place];
      if (base && price) {
        found.set(otherKey(list, base, quantity), {
          price: price.price,
          currency: currencies.get(price.currency),
        });
      }
    });
  }
  return found;
}

function otherKey(pricelist: Id, { product, list }: Basis, quantity: DecimalInput): string {
  return `${pricelist}:${product}:${list}:${decimal(quantity).toString()}`;
}
