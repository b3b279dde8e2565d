import { currencyFormats } from '#addons/sale';
import { app, type Ctx, type Decimal, decimal, type Id, type Minor, toMinor } from '#core';

/** Writes amounts and unit prices of one currency in the context's language. */
export interface Money {
  amount(minor: Minor | null): string;
  price(price: Decimal): string;
}

/** How a quotation writes its money. */
export async function moneyOf(ctx: Ctx, currency: Id): Promise<Money> {
  const format = (await currencyFormats(ctx, [currency])).get(currency);
  const texts = ctx.get(app.formats);
  const amount = (minor: Minor | null): string =>
    format ? texts.formatMoney(minor ?? 0, format, ctx.lang) : String(minor ?? 0);
  const price = (value: Decimal): string => {
    if (!format) return value;
    if (decimal(value).places() <= format.digits) return amount(toMinor(value, { digits: format.digits }));
    return texts.formatNumber(decimal(value).toString(), ctx.lang, { min: format.digits, max: 6 });
  };
  return { amount, price };
}

/** A description: its first line as a name, and the others. */
export function textOf(name: string): { readonly name: string; readonly more: readonly string[] } {
  const [first = '', ...more] = name.split(/\r?\n/);
  return { name: first, more: more.filter((line) => line.trim() !== '') };
}

/** A discount as people read it; empty for none. */
export function percent(ctx: Ctx, discount: Decimal | null): string {
  const share = decimal(discount ?? '0');
  if (share.isZero()) return '';
  return ctx.get(app.formats).formatNumber(share.div('100').toString(), ctx.lang, { percent: true, max: 2 });
}

/** A unit price with its discount taken off. */
export function discounted(price: Decimal, discount: Decimal | null): Decimal {
  const kept = decimal('100').minus(discount ?? '0');
  return decimal(price).times(kept.toString()).div('100').round(6).toString();
}
