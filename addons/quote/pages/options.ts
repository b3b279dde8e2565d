import { formatPercent, formatQuantity, type MoneyTexts, Pricing, type TaxTerms } from '@pergola/sale';
import { type Ctx, type Decimal, decimal, type Id } from 'pergola';
import { textOf } from './headings.ts';

/** Fields of an option, on a quotation or a template, that are needed to display it. */
export const offeredOption = {
  product_id: true,
  name: true,
  quantity: true,
  uom_id: { name: true },
  price_unit: true,
  discount: true,
  website_description: true,
} as const;

export interface OfferedOption {
  readonly id: Id;
  readonly product_id: Id;
  readonly name: string;
  readonly quantity: Decimal;
  readonly uom_id: { readonly id: Id; readonly name: string } | null;
  readonly price_unit: Decimal;
  readonly discount: Decimal | null;
  readonly website_description: string | null;
}

/** Currency format and taxes for showing options. */
export interface OptionTerms extends TaxTerms {
  readonly money: MoneyTexts;
  readonly currency: Id;
}

/** Returns options as the customer sees them, for `quote.options`, with the prices of their future lines. */
export async function shownOptions(ctx: Ctx, terms: OptionTerms, options: readonly OfferedOption[]) {
  const prices = await ctx.get(Pricing).shownOffers(
    terms,
    options.map(({ product_id: product, quantity, ...option }) => ({ ...option, product, product_uom_qty: quantity })),
  );
  return options.map((option, index) => {
    const unit = prices[index]?.unit ?? '0';
    return {
      id: option.id,
      ...textOf(option.name),
      quantity: formatQuantity(ctx, option.quantity),
      unit: option.uom_id?.name ?? '',
      discount: formatPercent(ctx, option.discount),
      was: terms.money.price(unit),
      now: terms.money.price(discounted(unit, option.discount)),
      description: option.website_description ?? '',
    };
  });
}

/** Returns a unit price less its discount. */
function discounted(price: Decimal, discount: Decimal | null): Decimal {
  const remaining = decimal('100').minus(discount ?? '0');
  return decimal(price).times(remaining).div('100').round(6).toString();
}
