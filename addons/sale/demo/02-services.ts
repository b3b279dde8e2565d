import { Currency } from '#addons/base';
import { type Ctx, data, ref } from '#core';
import { ProductTemplate } from '../models/product-template.ts';
import { SaleCompany } from '../models/res-company.ts';

/** Services the house sells by quotation; its bank account, and the rates of a day. */
export default [
  data(ProductTemplate, async (ctx) => {
    await equipCompany(ctx);
    return {
      service_design: {
        name: { en_US: 'Garden design', fr_FR: 'Conception de jardin' },
        description_sale: {
          en_US: 'A visit, a drawing to scale and a list of plants.',
          fr_FR: 'Une visite, un plan à l’échelle et une liste de plantes.',
        },
        type: 'service' as const,
        list_price: '72',
        uom_id: ref('hour'),
        taxes_id: [ref('tax_standard')],
        categ_id: ref('all_products'),
      },
      service_build: {
        name: { en_US: 'Building a pergola', fr_FR: 'Construction d’une pergola' },
        description_sale: {
          en_US: 'Oak, three by four metres, set up in your garden.',
          fr_FR: 'En chêne, trois mètres sur quatre, montée dans votre jardin.',
        },
        type: 'service' as const,
        list_price: '3480',
        uom_id: ref('unit'),
        taxes_id: [ref('tax_standard')],
        categ_id: ref('all_products'),
      },
      service_care: {
        name: { en_US: 'Care of climbing plants, one year', fr_FR: 'Entretien des plantes grimpantes, un an' },
        type: 'service' as const,
        list_price: '264',
        uom_id: ref('unit'),
        taxes_id: [ref('tax_standard')],
        categ_id: ref('all_products'),
      },
    };
  }),
];

/** What the company and the currencies, which came with the first start, have nothing of yet. */
async function equipCompany(ctx: Ctx): Promise<void> {
  const companies = ctx.model(SaleCompany);
  const main = await ctx.ref('base.main_company');
  const { bank_account } = await companies.get(main, { select: { bank_account: true } });
  if (bank_account) return;
  await companies.write(main, {
    bank_account: 'FR76 3000 6000 0112 3456 7890 189',
    bank_name: 'Banque du Moulin',
    bank_bic: 'AGRIFRPP',
    sale_note: {
      en_US: 'Payable within 30 days. Goods stay ours until they are paid.',
      fr_FR: 'Payable sous 30 jours. Les articles restent notre propriété jusqu’au paiement.',
    },
  });
  const rates = { usd: '1.08', jpy: '161.2', chf: '0.95', gbp: '0.86', cad: '1.52', tnd: '3.37' };
  for (const [code, rate] of Object.entries(rates)) {
    await ctx.model(Currency).write(await ctx.ref(`base.${code}`), { rate });
  }
}
