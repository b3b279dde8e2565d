import { app, type Ctx, type Decimal, decimal, type Id, type Ids, type Minor, toMinor } from 'pergola';
import { currencies, type SaleCurrency } from './currencies.ts';

/** Returns currency formats by id, including disabled currencies. */
export function currencyFormats(ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, SaleCurrency>> {
  return currencies.get(ctx.sudo(), ids); // Currency formats are public.
}

/** Formats an amount in the context's language: `1 234,50 €`. */
export async function formatAmount(ctx: Ctx, amount: Minor, currency: Id): Promise<string> {
  return (await moneyTexts(ctx, currency)).amount(amount);
}

/** Formats a quantity without trailing zeros, in the context's language. */
export function formatQuantity(ctx: Ctx, quantity: Decimal): string {
  return ctx.get(app.formats).formatNumber(decimal(quantity).toString(), ctx.lang, { max: 3 });
}

/** Formats amounts and unit prices of one currency in the context's language. */
export interface MoneyTexts {
  amount(minor: Minor | null): string;
  /** Uses the digits of the currency, or all digits of the price if it has more. */
  price(price: Decimal): string;
}

/** Returns formatters for one currency. */
export async function moneyTexts(ctx: Ctx, currency: Id): Promise<MoneyTexts> {
  const format = (await currencyFormats(ctx, [currency])).get(currency);
  const texts = ctx.get(app.formats);
  const price = (value: Decimal): string => {
    if (!format) return texts.formatNumber(value, ctx.lang);
    const digits = Math.max(format.digits, decimal(value).places());
    return texts.formatMoney(toMinor(value, { digits }), { ...format, digits }, ctx.lang);
  };
  return {
    amount: (minor) =>
      format ? texts.formatMoney(minor ?? 0, format, ctx.lang) : texts.formatNumber(minor ?? 0, ctx.lang),
    price,
  };
}

/** Formats a percentage; empty for none. */
export function formatPercent(ctx: Ctx, share: Decimal | null): string {
  const part = decimal(share ?? '0');
  if (part.isZero()) return '';
  return ctx.get(app.formats).formatNumber(part.div(100).toString(), ctx.lang, { percent: true, max: 2 });
}
