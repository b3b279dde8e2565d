import { type Decimal, decimal, type Id } from 'pergola';
import type { DecimalInput } from 'pergola/orm';

/** Product values that determine its price. */
export interface PricedProduct {
  readonly product: Id;
  readonly template: Id;
  /** The product's internal category and its parents, nearest first. */
  readonly categories: readonly Id[];
}

/** Fields of a rule. */
export const ruleColumns = {
  sequence: true,
  product_tmpl_id: true,
  product_id: true,
  categ_id: true,
  min_quantity: true,
  compute_price: true,
  fixed_price: true,
  percent_price: true,
  base: true,
  base_pricelist_id: true,
  price_discount: true,
  price_round: true,
  price_surcharge: true,
  price_min_margin: true,
  price_max_margin: true,
} as const;

export interface PriceRule {
  readonly id: Id;
  readonly sequence: number | null;
  readonly product_tmpl_id: Id | null;
  readonly product_id: Id | null;
  readonly categ_id: Id | null;
  readonly min_quantity: Decimal | null;
  readonly compute_price: 'fixed' | 'percentage' | 'formula';
  readonly fixed_price: Decimal | null;
  readonly percent_price: Decimal | null;
  readonly base: 'list_price' | 'standard_price' | 'pricelist';
  readonly base_pricelist_id: Id | null;
  readonly price_discount: Decimal | null;
  readonly price_round: Decimal | null;
  readonly price_surcharge: Decimal | null;
  readonly price_min_margin: Decimal | null;
  readonly price_max_margin: Decimal | null;
}

/** Returns the first rule that applies to a product in a quantity. */
export function ruleOf(rules: readonly PriceRule[], product: PricedProduct, quantity: DecimalInput): PriceRule | null {
  return rules.find((rule) => fits(rule, product) && decimal(rule.min_quantity ?? '0').lte(quantity)) ?? null;
}

function fits({ product_id, product_tmpl_id, categ_id }: PriceRule, product: PricedProduct): boolean {
  if (product_id !== null) return product_id === product.product;
  if (product_tmpl_id !== null) return product_tmpl_id === product.template;
  return categ_id === null || product.categories.includes(categ_id);
}

/** Sorts rules by priority. */
export function inOrder(a: PriceRule, b: PriceRule): number {
  return (
    (a.sequence ?? 0) - (b.sequence ?? 0) ||
    generality(a) - generality(b) ||
    decimal(b.min_quantity ?? '0').compare(a.min_quantity ?? '0') ||
    a.id - b.id
  );
}

function generality({ product_id, product_tmpl_id, categ_id }: PriceRule): number {
  if (product_id !== null) return 0;
  if (product_tmpl_id !== null) return 1;
  return categ_id === null ? 3 : 2;
}

/** Applies a rule to a base price, both in the pricelist's currency. */
export function applyRule(rule: PriceRule, base: Decimal): Decimal {
  if (rule.compute_price === 'fixed') return rule.fixed_price ?? '0';
  if (rule.compute_price === 'percentage') {
    return decimal(base)
      .times(decimal('100').minus(rule.percent_price ?? '0'))
      .div(100)
      .toString();
  }
  const changed = decimal(base)
    .times(decimal('1').plus(rule.price_discount ?? '0'))
    .roundTo(decimal(rule.price_round ?? '0').abs())
    .plus(rule.price_surcharge ?? '0');
  return withinMargins(changed, base, rule).toString();
}

function withinMargins(
  price: ReturnType<typeof decimal>,
  base: Decimal,
  { price_min_margin, price_max_margin }: PriceRule,
): ReturnType<typeof decimal> {
  const minimum = decimal(base).plus(price_min_margin ?? '0');
  const maximum = decimal(base).plus(price_max_margin ?? '0');
  const raised = decimal(price_min_margin ?? '0').isZero() || price.gte(minimum) ? price : minimum;
  const capped = decimal(price_max_margin ?? '0').isZero() || raised.lte(maximum) ? raised : maximum;
  return capped.lt(0) ? decimal('0') : capped;
}
