import { type Ctx, type Id, type Ids, kept } from 'pergola';
import { AccountTax } from '../../models/account-tax.ts';
import type { TaxRule } from './taxes.ts';

const evenArchived = ['active', 'in', [true, false]] as const;

/** What is needed of taxes to work them out, by id; those switched off as well, which old orders still name. */
export const taxRules = kept('sale.taxes', async (ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, TaxRule>> => {
  const rows =
    ids.length === 0
      ? []
      : await ctx.model(AccountTax).find([['id', 'in', ids], evenArchived], {
          select: { type: true, amount: true, price_include: true, include_base_amount: true, sequence: true },
        });
  return new Map(rows.map((row) => [row.id, row]));
});

/** What taxes are called, by language. */
export const taxLabelTexts = kept(
  'sale.tax_labels',
  async (ctx: Ctx, lang: string, ids: Ids): Promise<ReadonlyMap<Id, string>> => {
    const rows = await ctx
      .as({ lang })
      .model(AccountTax)
      .find([['id', 'in', ids], evenArchived], { select: { name: true, description: true } });
    return new Map(rows.map(({ id, name, description }) => [id, description ?? name]));
  },
);

/** What taxes are called on pages and documents, in the context's language. */
export function taxLabels(ctx: Ctx, taxes: Ids): Promise<ReadonlyMap<Id, string>> {
  return taxLabelTexts.get(ctx.sudo(), ctx.lang, taxes); // Whoever may read an order may know what its taxes are called.
}

/** The rules of these taxes; taxes that are gone are passed over. */
export function pick(rules: ReadonlyMap<Id, TaxRule>, ids: Ids): TaxRule[] {
  return ids.flatMap((id) => rules.get(id) ?? []);
}
