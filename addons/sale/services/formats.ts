import {
  type Ctx,
  type CurrencyFormat,
  createFormats,
  type Decimal,
  decimal,
  type Formats,
  type Id,
  type Minor,
  service,
} from '#core';
import { formatMemory, keyOf, readFormats, remembered } from './memories.ts';

/** Texts for amounts and days, with one store of what they need for the generation. */
export const formats = service<Formats>('sale.formats', { make: () => createFormats() });

/** How a currency is written and rounded. */
export interface KnownFormat extends CurrencyFormat {
  readonly id: Id;
  readonly symbol: string;
  readonly position: 'before' | 'after';
  readonly rounding: Decimal | null;
}

/** How currencies are written, by id; also of those switched off since. */
export async function currencyFormats(ctx: Ctx, ids: readonly Id[]): Promise<ReadonlyMap<Id, KnownFormat>> {
  return remembered(ctx.sudo(), formatMemory, readFormats, keyOf(ids)); // How a currency is written is no secret.
}

/** An amount as people of the context's language read it: `1 234,50 €`. */
export async function formatAmount(ctx: Ctx, amount: Minor, currency: Id): Promise<string> {
  const format = (await currencyFormats(ctx, [currency])).get(currency);
  return format
    ? ctx.service(formats).formatMoney(amount, format, ctx.lang)
    : ctx.service(formats).formatNumber(amount, ctx.lang);
}

/** A quantity without zeros behind the point, in the context's language. */
export function formatQuantity(ctx: Ctx, quantity: Decimal): string {
  return ctx.service(formats).formatNumber(decimal(quantity).toString(), ctx.lang, { max: 3 });
}
