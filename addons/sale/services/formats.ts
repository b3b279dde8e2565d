import { app, type Ctx, type CurrencyFormat, type Decimal, decimal, type Id, type Minor } from '#core';
import { formatMemory, keyOf, readFormats, remembered } from './memories.ts';

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
    ? ctx.get(app.formats).formatMoney(amount, format, ctx.lang)
    : ctx.get(app.formats).formatNumber(amount, ctx.lang);
}

/** A quantity without zeros behind the point, in the context's language. */
export function formatQuantity(ctx: Ctx, quantity: Decimal): string {
  return ctx.get(app.formats).formatNumber(decimal(quantity).toString(), ctx.lang, { max: 3 });
}
