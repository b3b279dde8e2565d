import { ProductProduct } from '@pergola/sale';
import { type Ctx, data, type Id } from 'pergola';
import { QuoteTemplate } from '../models/quote-template.ts';

const partnership = {
  en_US: `<h1>Partnership</h1>
<p>You know your members, we know how people learn together. This offer brings both under one roof for a year.</p>
<h2>What you get</h2>
<ul><li>Two days on your premises, for everyone who wants to join in</li><li>A handbook you can adapt</li><li>Someone to call when things don’t go as planned</li></ul>
<h2>How it works</h2>
<p>We start four weeks after you sign, on a day that suits you. There’s nothing to prepare.</p>`,
  fr_FR: `<h1>Partenariat</h1>
<p>Vous connaissez vos membres, nous savons comment on apprend ensemble. Cette offre réunit les deux sous un même toit pour un an.</p>
<h2>Ce que vous recevez</h2>
<ul><li>Deux journées chez vous, ouvertes à tous ceux qui le souhaitent</li><li>Un manuel que vous pouvez modifier à votre guise</li><li>Un interlocuteur à appeler en cas d’imprévu</li></ul>
<h2>Déroulement</h2>
<p>Nous commençons quatre semaines après votre signature, le jour qui vous convient. Il n’y a rien à préparer.</p>`,
};

const terms = {
  en_US:
    'Payable within 30 days of the invoice date. Days cancelled less than two weeks in advance are charged in full.',
  fr_FR:
    'Payable à 30 jours de la facture. Les journées annulées moins de deux semaines à l’avance sont facturées en totalité.',
};

/** Returns the variant created with a product of this demo. */
export async function variantOf(ctx: Ctx, externalId: string): Promise<Id> {
  const [product] = await ctx
    .model(ProductProduct)
    .search([['product_tmpl_id', '=', await ctx.ref(externalId)]], { limit: 1 });
  if (product === undefined) throw new Error(`${externalId} has no variant.`);
  return product;
}

/** As in the original: a contract with two training sessions, and an optional third. */
export default data(QuoteTemplate, async (ctx) => {
  const [functional, technical, advanced] = await Promise.all(
    ['functional_training', 'technical_training', 'advanced_training'].map((name) => variantOf(ctx, `quote.${name}`)),
  );
  return {
    partnership: {
      name: 'Partnership Contract',
      number_of_days: 45,
      website_description: partnership,
      note: terms,
      quote_line: [
        {
          create: {
            product_id: functional,
            name: { en_US: 'Functional Training', fr_FR: 'Formation fonctionnelle' },
            price_unit: '12950',
            discount: '10',
          },
        },
        {
          create: {
            product_id: technical,
            name: { en_US: 'Technical Training\nincluded', fr_FR: 'Formation technique\nincluse' },
            price_unit: '0',
            sequence: 20,
          },
        },
      ],
      options: [
        {
          create: {
            product_id: advanced,
            name: { en_US: 'Advanced CRM Functional', fr_FR: 'CRM avancé, fonctionnel' },
            price_unit: '9000',
            discount: '10',
          },
        },
      ],
    },
  };
});
