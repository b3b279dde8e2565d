import { defaultTaxes } from '#addons/sale';
import { linksAfter, question } from '#addons/web';
import type { Ctx, Ids } from '#core';
import { ShopTemplate } from './models/product-template.ts';

/** Names of products in a question; of more only the number is given. */
const MAX_NAMES = 3;

export const questions = [
  // A product that is sold without VAT by mistake costs the shop the tax.
  question(ShopTemplate, {
    fields: ['website_published', 'taxes_id'],
    ask: async (ctx, { ids, values }) => {
      const names = await untaxedAfter(ctx, ids, values);
      if (names.length === 0) return null;
      const yes = ctx.t('Publish without tax');
      const hint = ctx.t('If it should be tax free, choose a 0 % tax.');
      if (names.length > MAX_NAMES)
        return { yes, text: `${ctx.t('{n} products have no tax.', { n: names.length })} ${hint}` };
      const text = ctx.t('No tax is set for {names}.', { names: names.map((name) => `“${name}”`).join(', ') });
      return { yes, text: `${text} ${hint}` };
    },
  }),
];

/** Names of the products that a write publishes without a tax, or takes the tax from while they are published. */
async function untaxedAfter(ctx: Ctx, ids: Ids, values: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { website_published: published, taxes_id: commands, company_id: company } = values;
  const rows =
    ids.length > 0
      ? await ctx
          .model(ShopTemplate)
          .read(ids, { select: { name: true, taxes_id: true, company_id: true, website_published: true } })
      : [
          {
            name: typeof values.name === 'string' ? values.name : '',
            // Without a choice it gets the default tax.
            taxes_id: (commands === undefined && (await defaultTaxes(ctx, null))) || [],
            company_id: null,
            website_published: false,
          },
        ];
  const names: string[] = [];
  for (const row of rows) {
    const isPublished = typeof published === 'boolean' ? published : row.website_published;
    if (!isPublished || linksAfter(row.taxes_id, commands).length > 0) continue;
    const seller = typeof company === 'number' ? company : row.company_id;
    if (await defaultTaxes(ctx, seller)) names.push(row.name);
  }
  return names;
}
