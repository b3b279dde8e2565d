import type { Ctx } from 'pergola';
import { ShopPricelist } from '../../models/product-pricelist.ts';
import { t } from '../../texts.ts';
import { pricingContext } from '../pricing-context.ts';

/** What became of a promo code that was just sent, as the address of the cart page says it. */
export interface PromoNews {
  readonly outcome: 'taken' | 'removed' | 'wrong' | '';
  /** What was typed, where nobody gave out such a code. */
  readonly typed: string;
}

/** The part of the cart page about promo codes: the one that holds, and what became of the one just sent. */
export interface PromoView {
  readonly typed: string;
  readonly error: string;
  readonly message: string;
  /** The code that holds, and what its prices are called; null without one. */
  readonly code: string | null;
  readonly list: string;
}

/** See {@link PromoView}. Nothing is said to have happened that has not: whether a code holds is seen from the prices. */
export async function promoView(ctx: Ctx, news: PromoNews = { outcome: '', typed: '' }): Promise<PromoView> {
  const { code, pricelist } = await pricingContext(ctx);
  const { outcome, typed } = news;
  return {
    typed: outcome === 'wrong' ? typed : '',
    error: outcome === 'wrong' ? t(ctx, 'There is no such promo code.') : '',
    message: messageOf(ctx, outcome, code),
    code,
    list: code !== null && pricelist !== null ? await listName(ctx, pricelist) : '',
  };
}

function messageOf(ctx: Ctx, outcome: PromoNews['outcome'], code: string | null): string {
  if (outcome === 'taken' && code !== null) return t(ctx, 'The promo code {code} is applied.', { code });
  if (outcome === 'removed' && code === null) return t(ctx, 'The promo code was removed.');
  return '';
}

async function listName(ctx: Ctx, pricelist: number): Promise<string> {
  // Who knows the code may know what it is called.
  const [list] = await ctx
    .sudo()
    .model(ShopPricelist)
    .read([pricelist], { select: { name: true } });
  return list?.name ?? '';
}
