import type { Ctx } from 'pergola';
import { ShopPricelist } from '../../models/product-pricelist.ts';
import { t } from '../../texts.ts';
import { pricingContext } from '../pricing-context.ts';

/** Result of submitting a promo code, as passed in the URL of the cart page. */
export interface PromoNews {
  readonly outcome: 'taken' | 'removed' | 'wrong' | '';
  /** Rejected code as typed. */
  readonly typed: string;
}

/** Promo code section of the cart page: the active code, and the result of the last attempt. */
export interface PromoView {
  readonly typed: string;
  readonly error: string;
  readonly message: string;
  /** Active code, or null, and the name of its pricelist. */
  readonly code: string | null;
  readonly list: string;
}

/** See {@link PromoView}. Reports a result only if the current prices confirm it. */
export async function promoView(ctx: Ctx, news: PromoNews = { outcome: '', typed: '' }): Promise<PromoView> {
  const { code, pricelist } = await pricingContext(ctx);
  const { outcome, typed: submittedCode } = news;
  return {
    typed: outcome === 'wrong' ? submittedCode : '',
    error: outcome === 'wrong' ? t(ctx, 'This promo code isn’t valid.') : '',
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
  // Visitors who know the code may know the name of its list.
  const [list] = await ctx
    .sudo()
    .model(ShopPricelist)
    .read([pricelist], { select: { name: true } });
  return list?.name ?? '';
}
