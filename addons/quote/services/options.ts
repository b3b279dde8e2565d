import { formatQuantity } from '#addons/sale';
import type { Ctx, Decimal, Id } from '#core';
import { discounted, type Money, percent, textOf } from './texts.ts';

/** What is read of an option, of a quotation or of a template, to show it. */
export const offeredOption = {
  name: true,
  quantity: true,
  uom_id: { name: true },
  price_unit: true,
  discount: true,
  website_description: true,
} as const;

interface OfferedOption {
  readonly id: Id;
  readonly name: string;
  readonly quantity: Decimal;
  readonly uom_id: { readonly name: string } | null;
  readonly price_unit: Decimal;
  readonly discount: Decimal | null;
  readonly website_description: string | null;
}

/** An option as its customer sees it, for `quote.options`. */
export function shownOption(ctx: Ctx, money: Money, option: OfferedOption) {
  return {
    id: option.id,
    ...textOf(option.name),
    quantity: formatQuantity(ctx, option.quantity),
    unit: option.uom_id?.name ?? '',
    discount: percent(ctx, option.discount),
    was: money.price(option.price_unit),
    now: money.price(discounted(option.price_unit, option.discount)),
    description: option.website_description ?? '',
  };
}
