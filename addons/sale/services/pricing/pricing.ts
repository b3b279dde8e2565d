import {
  app,
  type Ctx,
  type CurrencyUnits,
  type Decimal,
  decimal,
  type Id,
  type Ids,
  kept,
  type Minor,
  service,
} from 'pergola';
import type { DecimalInput } from 'pergola/orm';
import { FiscalPosition, type Supply, type TaxTerms } from '../../models/account-fiscal-position.ts';
import { ProductPricelist } from '../../models/product-pricelist.ts';
import { ProductProduct } from '../../models/product-product.ts';
import { SalePartner } from '../../models/res-partner.ts';
import { pricesShown } from '../../settings.ts';
import { convert, currencies, payable, type SaleCurrency } from '../currencies.ts';
import { namesInOrder } from '../names.ts';
import { type AskedLine, amountsOf, type ShownLine, shownLine } from '../orders/line-money.ts';
import type { Offer, OfferRequest, OrderTerms } from '../orders/offer.ts';
import { pick, taxRules } from '../tax/tax-rules.ts';
import { mappedPrice, taxedAmount } from '../tax/taxes.ts';
import {
  type Basis,
  listRules,
  type ProductTaxes,
  priceBases,
  productTaxes,
  productTexts,
  supplyOf,
} from './price-bases.ts';
import { applyRule, type PriceRule, ruleOf } from './price-rules.ts';

/** A price with its currency. */
export interface Price {
  /** Unit price in major units; with or without tax depending on the product's taxes, as stored. */
  readonly price: Decimal;
  /** Price before pricelist rules, in the same currency. */
  readonly list: Decimal;
  readonly currency: Id;
  /** Rule that set the price; null for the product's price. */
  readonly rule: Id | null;
}
/** Request for a unit price. */
export interface PriceQuery {
  readonly product: Id;
  /** Defaults to 1. */
  readonly quantity?: DecimalInput;
  /** Replaces the product's list price, in the product's currency: the price of one ticket among several types. */
  readonly list?: Decimal;
  /** Place of taxation; derived from the product's type if left out. */
  readonly supply?: Supply;
}

/** A unit price as shown on pages. */
export interface ShownPrice {
  /** In minor units of the currency. */
  readonly price: Minor;
  /** Price before pricelist rules; equals `price` if no rule changed it. */
  readonly list: Minor;
  readonly currency: Id;
  /** Whether the prices include tax. */
  readonly taxed: boolean;
  /** Exact stored price in major units, for order lines. */
  readonly exact: Decimal;
}
/** Terms for showing prices. */
export interface PricingContext extends TaxTerms {
  readonly pricelist: Id | null;
}

/** Price of a product in a list. */
export interface TemplatePrice extends ShownPrice {
  /** The cheapest variant, which sets the price. */
  readonly product: Id;
  /** Whether other variants cost more. */
  readonly from: boolean;
}

/** An offer without an order line. */
export interface OfferedLine extends AskedLine {
  readonly product: Id | null;
}

/**
 * Calculates prices: product prices, pricelist rules, taxes. Each call takes a fixed number of queries, regardless of the number of
 * products. Needs the right to read products and pricelists, or elevated rights for visitors.
 *
 * ```
 * price of the product ─▶ rules of the pricelist (prices) ─▶ taxes of the customer (offers) ─▶ with or without tax, by the setting (shown)
 * ```
 */
export class Pricing extends service('sale.pricing', { ctx: app.ctx }) {
  /** Returns a customer's pricelist: their own unless it is archived, or else the first one; null if there are no pricelists. */
  async pricelistFor(partner: Id | null): Promise<Id | null> {
    if (partner !== null) {
      const [row] = await this.ctx
        .model(SalePartner)
        .read([partner], { select: { property_product_pricelist: { active: true } } });
      if (row?.property_product_pricelist?.active) return row.property_product_pricelist.id;
    }
    const [first] = await this.ctx.model(ProductPricelist).search([], { limit: 1 });
    return first ?? null;
  }

  /**
   * Returns unit prices of variants under a pricelist (or the products' own prices and currency without one), in the requested order; null
   * for unknown variants.
   */
  async prices(pricelist: Id | null, queries: readonly PriceQuery[]): Promise<(Price | null)[]> {
    const bases = await priceBases.get(
      this.ctx,
      queries.map(({ product }) => product),
    );
    return this.#pricesUnderList(
      pricelist,
      queries.map(({ product, quantity = 1, list }) => {
        const base = bases.get(product);
        return { base: base && list !== undefined ? { ...base, list } : base, quantity };
      }),
    );
  }

  /**
   * Returns text, price and taxes of products, under the pricelist and fiscal position, in the order's language; null for unknown products.
   * Order lines use `SaleOrderLine.offers`.
   */
  async offers(terms: OrderTerms, requests: readonly OfferRequest[]): Promise<(Offer | null)[]> {
    const products = await productTexts.get(
      this.ctx,
      terms.lang ?? this.ctx.lang,
      requests.map(({ product }) => product),
    );
    const prices = await this.prices(terms.pricelist, requests);
    const taxed = await this.#taxItems(
      terms,
      requests.map(({ product, supply }) => {
        const template = products.get(product)?.product_tmpl_id;
        return { taxes: template?.taxes_id ?? [], supply: supply ?? supplyOf(template?.type) };
      }),
    );
    const isMapped = taxed.some(({ position }) => position !== null);
    const rules = isMapped ? await taxRules.get(this.ctx, allTaxes(taxed)) : new Map();
    const currencyById = await currencies.get(
      this.ctx,
      prices.flatMap((price) => price?.currency ?? []),
    );
    return requests.map(({ product }, index) => {
      const template = products.get(product)?.product_tmpl_id;
      const price = prices[index];
      if (!template || !price) return null;
      const { before = [], after = [], position = null } = taxed[index] ?? {};
      const changed = (amount: Decimal): Decimal =>
        mappedPrice(amount, pick(rules, before), pick(rules, after), currencyById.get(price.currency) ?? { digits: 2 });
      const price_unit = changed(price.price);
      return {
        name: lineText(template, namesInOrder(products.get(product)?.attribute_value_ids ?? [])),
        price_unit,
        price_list: changed(price.list),
        tax_id: after,
        product_uom: template.uom_id,
        last_offer: { price_unit, tax_id: after, position },
      };
    });
  }

  /** Whether pages, documents and mails show prices with tax. */
  async showsTax(): Promise<boolean> {
    return (await this.ctx.settings.get(pricesShown)) === 'included';
  }

  /**
   * Returns unit prices as the shop shows them, with or without tax depending on the setting, using the same tax engine as carts, emails
   * and payments. In the requested order; null for unknown variants.
   */
  async shown(about: PricingContext, queries: readonly PriceQuery[]): Promise<(ShownPrice | null)[]> {
    const prices = await this.prices(about.pricelist, queries);
    const mapped = await this.#taxProducts(about, queries);
    const rules = await taxRules.get(this.ctx, allTaxes(mapped));
    const currencyById = await currencies.get(
      this.ctx,
      prices.flatMap((price) => price?.currency ?? []),
    );
    const taxed = await this.showsTax();
    const work = (price: Price, before: Ids, after: Ids): ShownPrice => {
      const from = pick(rules, before);
      const to = pick(rules, after);
      const units = currencyById.get(price.currency) ?? { digits: 2 };
      const exact = mappedPrice(price.price, from, to, units);
      const shownPrice = taxedAmount(exact, 1, to, units, taxed);
      return {
        price: shownPrice,
        list:
          price.list === price.price
            ? shownPrice
            : taxedAmount(mappedPrice(price.list, from, to, units), 1, to, units, taxed),
        currency: price.currency,
        taxed,
        exact,
      };
    };
    // Most variants of a product cost the same, so results are reused.
    const worked = new Map<string, ShownPrice>();
    return prices.map((price, index) => {
      if (!price) return null;
      const { before = [], after = [] } = mapped[index] ?? {};
      const key = `${price.price} ${price.list} ${price.currency} ${before.join()} ${after.join()}`;
      const shownPrice = worked.get(key) ?? work(price, before, after);
      worked.set(key, shownPrice);
      return shownPrice;
    });
  }

  /** Returns the lowest prices of products, for product lists; leaves out products without a variant. */
  ofTemplates(
    { pricelist, company, fiscalPosition, servicePosition = fiscalPosition }: PricingContext,
    templates: Ids,
  ): Promise<ReadonlyMap<Id, TemplatePrice>> {
    return templatePrices.get(this.ctx, pricelist, company, fiscalPosition, servicePosition, templates);
  }

  /** Returns the prices of offers under these terms, in order, as their lines would show them. */
  async shownOffers(terms: TaxTerms & { readonly currency: Id }, offers: readonly OfferedLine[]): Promise<ShownLine[]> {
    const mapped = await this.#taxProducts(terms, offers);
    const rules = await taxRules.get(this.ctx, allTaxes(mapped));
    const currency: CurrencyUnits = (await currencies.get(this.ctx, [terms.currency])).get(terms.currency) ?? {
      digits: 2,
    };
    const taxed = await this.showsTax();
    return offers.map((offer, index) => {
      const lineTaxes = pick(rules, mapped[index]?.after ?? []);
      const line = { ...offer, ...amountsOf(offer, lineTaxes, currency), price_list: null };
      return shownLine(line, { currency, taxed, rules: lineTaxes });
    });
  }

  /** Returns the taxes of products under the terms of an order or page. */
  async #taxProducts(
    terms: TaxTerms,
    queries: readonly { readonly product: Id | null; readonly supply?: Supply }[],
  ): Promise<TaxedThing[]> {
    const taxes = await productTaxes.get(
      this.ctx,
      queries.flatMap(({ product }) => product ?? []),
    );
    return this.#taxItems(
      terms,
      queries.map(({ product, supply }) => {
        const taxedProduct = taxes.get(product ?? 0) ?? { taxes: [], supply: 'goods' };
        return supply ? { ...taxedProduct, supply } : taxedProduct;
      }),
    );
  }

  /** Determines the fiscal position of each item, and its taxes under it. */
  async #taxItems(terms: TaxTerms, items: readonly ProductTaxes[]): Promise<TaxedThing[]> {
    const positions = this.ctx.model(FiscalPosition);
    const taxedThings: TaxedThing[] = [];
    for (const { taxes, supply } of items) {
      const position = await positions.forSupply(terms, supply);
      taxedThings.push({ position, before: taxes, after: (await positions.mapping(position))(taxes) });
    }
    return taxedThings;
  }

  /** @throws NotFound if the pricelist doesn't exist */
  async #pricesUnderList(pricelist: Id | null, asked: readonly Asked[]): Promise<(Price | null)[]> {
    const bases = asked.flatMap(({ base }) => base ?? []);
    if (pricelist === null) {
      return asked.map(({ base }) =>
        base ? { price: base.list, list: base.list, currency: base.currency, rule: null } : null,
      );
    }
    const { currency, rules } = await listRules.get(
      this.ctx,
      pricelist,
      bases.map(({ product }) => product),
    );
    const currencyById = await currencies.get(this.ctx, [currency, ...bases.map((base) => base.currency)]);
    const target = currencyById.get(currency);
    const otherPrices = await this.#otherListPrices(rules, asked);
    return asked.map(({ base, quantity }) => {
      if (!base) return null;
      const rule = ruleOf(rules, base, quantity);
      const source = currencyById.get(base.currency);
      const productPrice = convert(base.list, source, target);
      if (!rule) return { price: productPrice, list: productPrice, currency, rule: null };
      const price = applyRule(
        rule,
        baseOf(rule, base, quantity, { source, target, own: productPrice, others: otherPrices }),
      );
      return {
        price: rule.compute_price === 'fixed' || !target ? price : payable(price, target),
        list: productPrice,
        currency,
        rule: rule.id,
      };
    });
  }

  /** Calculates prices of other lists that rules are based on; lists never refer to each other in a circle. */
  async #otherListPrices(rules: readonly PriceRule[], lookups: readonly Asked[]): Promise<Map<string, OtherPrice>> {
    const otherPrices = new Map<string, OtherPrice>();
    const lists = new Set(
      rules.flatMap((rule) =>
        rule.base === 'pricelist' && rule.compute_price !== 'fixed' ? (rule.base_pricelist_id ?? []) : [],
      ),
    );
    for (const list of lists) {
      const prices = await this.#pricesUnderList(list, lookups);
      const currencyById = await currencies.get(
        this.ctx,
        prices.flatMap((price) => price?.currency ?? []),
      );
      lookups.forEach(({ base, quantity }, index) => {
        const price = prices[index];
        if (!base || !price) return;
        otherPrices.set(otherKey(list, base, quantity), {
          price: price.price,
          currency: currencyById.get(price.currency),
        });
      });
    }
    return otherPrices;
  }
}

/** Cheapest variant of each product, by pricelist and fiscal position. */
export const templatePrices = kept(
  'sale.template_prices',
  async (
    ctx: Ctx,
    pricelist: Id | null,
    company: Id,
    fiscalPosition: Id | null,
    servicePosition: Id | null,
    templates: Ids,
  ) => {
    const variants = await ctx
      .model(ProductProduct)
      .find([['product_tmpl_id', 'in', templates]], { select: { product_tmpl_id: true }, order: 'id' });
    const prices = await ctx.get(Pricing).shown(
      { pricelist, company, fiscalPosition, servicePosition },
      variants.map(({ id }) => ({ product: id })),
    );
    const offers = variants.flatMap(({ id: product, product_tmpl_id: template }, index) => {
      const price = prices[index];
      return price ? [{ ...price, product, template }] : [];
    });
    const cheapestPrices = new Map<Id, TemplatePrice>();
    for (const [template, templateOffers] of Map.groupBy(offers, (offer) => offer.template)) {
      const [cheapest] = templateOffers.toSorted((a, b) => a.price - b.price);
      if (!cheapest) continue;
      const { template: _, ...price } = cheapest;
      cheapestPrices.set(template, { ...price, from: templateOffers.some((offer) => offer.price > cheapest.price) });
    }
    return cheapestPrices;
  },
  500,
);

/** Taxes of an item before and after its fiscal position. */
interface TaxedThing {
  readonly position: Id | null;
  readonly before: Ids;
  readonly after: Ids;
}

function allTaxes(items: readonly TaxedThing[]): Id[] {
  return items.flatMap(({ before, after }) => [...before, ...after]);
}

interface Asked {
  readonly base: Basis | undefined;
  readonly quantity: DecimalInput;
}
interface OtherPrice {
  readonly price: Decimal;
  readonly currency: SaleCurrency | undefined;
}
interface Surroundings {
  readonly source: SaleCurrency | undefined;
  readonly target: SaleCurrency | undefined;
  readonly own: Decimal;
  readonly others: ReadonlyMap<string, OtherPrice>;
}

/** Returns the base price of a rule, in the currency of its list. */
function baseOf(rule: PriceRule, base: Basis, quantity: DecimalInput, surroundings: Surroundings): Decimal {
  if (rule.compute_price === 'fixed') return '0';
  if (rule.base === 'standard_price') return convert(base.cost, surroundings.source, surroundings.target);
  if (rule.base !== 'pricelist') return surroundings.own;
  const otherPrice = surroundings.others.get(otherKey(rule.base_pricelist_id ?? 0, base, quantity));
  return otherPrice ? convert(otherPrice.price, otherPrice.currency, surroundings.target) : surroundings.own;
}

function otherKey(pricelist: Id, { product, list }: Basis, quantity: DecimalInput): string {
  return `${pricelist}:${product}:${list}:${decimal(quantity).toString()}`;
}

function lineText(
  { name, description_sale }: { readonly name: string; readonly description_sale: string | null },
  values: readonly string[],
): string {
  const title = values.length > 0 ? `${name} (${values.join(', ')})` : name;
  return (description_sale ? `${title}\n${description_sale}` : title).slice(0, 4000);
}
