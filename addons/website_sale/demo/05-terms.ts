import { WebsiteMenu, WebsitePage } from '@pergola/website';
import { type Ctx, data, ref } from 'pergola';
import { ShopWebsite } from '../models/website.ts';

const page = (title: string, paragraphs: readonly (readonly [heading: string, text: string])[]): string =>
  `<section class="container py-5" data-name="Text">
<div class="prose">
<h1>${title}</h1>
${paragraphs.map(([heading, text]) => `<h2 class="h4">${heading}</h2>\n<p>${text}</p>`).join('\n')}
</div>
</section>`;

/** Pages about customer rights for the demo shop. */
const pages = data(WebsitePage, async (ctx: Ctx) => {
  // The page check finds no issues on these pages.
  const checked = { check_date: ctx.now(), check_faults: [] };
  return {
    demo_delivery: {
      url: '/delivery',
      name: { en_US: 'Delivery and returns', fr_FR: 'Livraison et retours' },
      website_id: ref('website.default_website'),
      website_published: true,
      ...checked,
      content: {
        en_US: page('Delivery and returns', [
          [
            'By post',
            'We ship items in stock within two working days of confirming your order. They reach you two days later.',
          ],
          ['Costs', 'Delivery is included in our prices.'],
          ['Returns', 'You can return unused items within 14 days. We’ll refund you within a week.'],
        ]),
        fr_FR: page('Livraison et retours', [
          [
            'Par la poste',
            'Les articles en stock sont expédiés sous deux jours ouvrés après la confirmation de votre commande et arrivent chez vous deux jours plus tard.',
          ],
          ['Frais', 'La livraison est comprise dans nos prix.'],
          [
            'Retours',
            'Vous pouvez renvoyer un article non utilisé sous 14 jours. Nous vous remboursons sous une semaine.',
          ],
        ]),
      },
    },
    demo_terms: {
      url: '/terms',
      name: { en_US: 'Terms of sale', fr_FR: 'Conditions de vente' },
      website_id: ref('website.default_website'),
      website_published: true,
      ...checked,
      content: {
        en_US: page('Terms of sale', [
          ['Prices', 'Prices are in euros and include tax. The price on the day of your order applies.'],
          [
            'Orders',
            'By pressing the button at the end of checkout, you place a binding order. The contract is formed when we confirm your order by email, as soon as your payment arrives.',
          ],
          [
            'Warranty',
            'If an item breaks within two years of normal use, we’ll repair it, replace it or take it back.',
          ],
        ]),
        fr_FR: page('Conditions de vente', [
          ['Prix', 'Les prix sont en euros, toutes taxes comprises. Le prix du jour de la commande fait foi.'],
          [
            'Commandes',
            'En appuyant sur le bouton à la fin de la commande, vous passez une commande ferme. Le contrat est conclu lorsque nous la confirmons par e-mail, dès réception de votre paiement.',
          ],
          ['Garantie', 'Un article qui casse dans les deux ans malgré un usage normal est réparé, remplacé ou repris.'],
        ]),
      },
    },
  };
});

const entry = (name: { en_US: string; fr_FR: string }, leads: string, url: string, sequence: number) => ({
  name,
  url,
  page_id: ref(leads),
  parent_id: ref('website.footer_menu'),
  sequence,
});

const menus = data(WebsiteMenu, {
  demo_menu_delivery: entry(
    { en_US: 'Delivery and returns', fr_FR: 'Livraison et retours' },
    'demo_delivery',
    '/delivery',
    30,
  ),
  demo_menu_terms: entry({ en_US: 'Terms of sale', fr_FR: 'Conditions de vente' }, 'demo_terms', '/terms', 40),
});

/** One line each about delivery and returns, shown next to products; the terms link is shown next to the order button. */
const promises = data(ShopWebsite, {
  'website.default_website': {
    shop_delivery: {
      en_US: 'Free delivery in 4 working days',
      fr_FR: 'Livraison offerte sous 4 jours ouvrés',
    },
    shop_returns: { en_US: '14-day returns', fr_FR: 'Retours sous 14 jours' },
    shop_delivery_page_id: ref('demo_delivery'),
    shop_terms_page_id: ref('demo_terms'),
  },
});

export default [pages, menus, promises];
