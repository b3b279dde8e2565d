import { type Decimal, data, ref } from 'pergola';
import { QuotedProduct } from '../models/product-template.ts';

/** Training products from the original demo. */
export default data(QuotedProduct, {
  functional_training: {
    name: { en_US: 'Functional Training', fr_FR: 'Formation fonctionnelle' },
    type: 'service',
    list_price: '12950' as Decimal,
    uom_id: ref('sale.unit'),
    quote_description: {
      en_US:
        '<h2>Functional Training</h2><p>Two days for up to twelve people: first what the tools do, then what you do with them.</p>',
      fr_FR:
        '<h2>Formation fonctionnelle</h2><p>Deux journées pour douze personnes au plus : d’abord ce que font les outils, puis ce que vous en faites.</p>',
    },
  },
  technical_training: {
    name: { en_US: 'Technical Training', fr_FR: 'Formation technique' },
    type: 'service',
    list_price: '4500' as Decimal,
    uom_id: ref('sale.unit'),
  },
  advanced_training: {
    name: { en_US: 'Advanced CRM Functional', fr_FR: 'CRM avancé, fonctionnel' },
    type: 'service',
    list_price: '9000' as Decimal,
    uom_id: ref('sale.unit'),
  },
});
