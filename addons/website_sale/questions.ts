import { defaultTaxes, lacksTax } from '@pergola/sale';
import { linksAfter, question } from '@pergola/web';
import type { Ctx, Ids } from 'pergola';
import { ShopTemplate } from './models/product-template.ts';
import { t } from './texts.ts';

/** Maximum number of product names in a question; above it, only the count is given. */
const MAX_NAMES = 3;

export const questions = [
  // Warns about publishing products without VAT: the shop would have to pay it.
  question(ShopTemplate, {
    fields: ['website_published', 'taxes_id', 'active', 'sale_ok'],
    ask: async (ctx, { ids, values }) => {
      const names = await untaxedAfter(ctx, ids, values);
      if (names.length === 0) return null;
      const yes = t(ctx, 'Publish without tax');
      const hint = t(ctx, 'For a tax-free product, choose a 0% tax.');
      if (names.length > MAX_NAMES)
        return { yes, text: `${t(ctx, '{n} products have no tax.', { n: names.length })} ${hint}` };
      const text = t(ctx, 'No tax is set for {names}.', { names: names.map((name) => `“${name}”`).join(', ') });
      return { yes, text: `${text} ${hint}` };
    },
  }),
];

/** Returns names of products that would be in the shop without a tax after the values are written. */
async function untaxedAfter(ctx: Ctx, ids: Ids, values: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { taxes_id: commands, company_id: company } = values;
  const select = {
    name: true,
    taxes_id: true,
    company_id: true,
    website_published: true,
    sale_ok: true,
    active: true,
  } as const;
  const isNew = ids.length === 0;
  const added = {
    name: typeof values.name === 'string' ? values.name : '',
    // Without a choice, the product gets the default tax.
    taxes_id: (commands === undefined && (await defaultTaxes(ctx, null))) || [],
    company_id: null,
    website_published: false,
    sale_ok: true,
    active: true,
  };
  const rows = isNew ? [added] : await ctx.model(ShopTemplate).read(ids, { select });
  const names: string[] = [];
  for (const row of rows) {
    const isInShop = (['website_published', 'sale_ok', 'active'] as const).every((name) => values[name] ?? row[name]);
    const taxes_id = linksAfter(row.taxes_id, commands);
    const company_id = typeof company === 'number' ? company : row.company_id;
    if (isInShop && (await lacksTax(ctx, { taxes_id, company_id }))) names.push(row.name);
  }
  return names;
}
