import type { Ctx, Id } from '#core';
import { listsToChoose } from '../facts.ts';
import { currencyViews } from './catalogue/price-view.ts';

/** The prices a visitor may choose between, by name and currency; null where there is no choice. */
export async function choicesOf(
  ctx: Ctx,
): Promise<readonly { readonly id: Id; readonly name: string; readonly chosen: boolean }[] | null> {
  const lists = await listsToChoose(ctx);
  if (lists.length < 2) return null;
  const currencies = await currencyViews(
    ctx,
    lists.map(({ currency }) => currency),
  );
  return lists.map(({ id, name, currency }) => ({
    id,
    name: `${name} (${currencies.get(currency)?.code ?? ''})`,
    chosen: id === ctx.facts.shop?.pricelist,
  }));
}
