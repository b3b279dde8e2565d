import { type Ctx, type Id, type Ids, kept } from 'pergola';
import { AccountTax } from '../../models/account-tax.ts';
import type { TaxRule } from './taxes.ts';

const evenArchived = ['active', 'in', [true, false]] as const;

/** Tax fields for calculations, by id; includes disabled taxes, which old orders still use. */
export const taxRules = kept('sale.taxes', async (ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, TaxRule>> => {
  const rows =
    ids.length === 0
      ? []
      : await ctx.model(AccountTax).find([['id', 'in', ids], evenArchived], {
          select: { type: true, amount: true, price_include: true, include_base_amount: true, sequence: true },
        });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Labels of taxes, by language. */
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

/** Returns the labels of taxes for pages and documents, in the context's language. */
export function taxLabels(ctx: Ctx, taxes: Ids): Promise<ReadonlyMap<Id, string>> {
  return taxLabelTexts.get(ctx.sudo(), ctx.lang, taxes); // Readers of an order may see the labels of its taxes.
}

/** Returns the rules of these taxes; skips deleted taxes. */
export function pick(rules: ReadonlyMap<Id, TaxRule>, ids: Ids): TaxRule[] {
  return ids.flatMap((id) => rules.get(id) ?? []);
}
