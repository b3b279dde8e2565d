import { data, ref } from 'pergola';
import { ProductTemplate } from '../models/product-template.ts';

/** Services the company sells by quotation. */
export default [
  data(ProductTemplate, {
    service_design: {
      name: { en_US: 'Garden design', fr_FR: 'Conception de jardin' },
      description_sale: {
        en_US: 'A visit, a drawing to scale and a list of plants.',
        fr_FR: 'Une visite, un plan à l’échelle et une liste de plantes.',
      },
      type: 'service',
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
      type: 'service',
      list_price: '3480',
      uom_id: ref('unit'),
      taxes_id: [ref('tax_standard')],
      categ_id: ref('all_products'),
    },
    service_care: {
      name: { en_US: 'Care of climbing plants, one year', fr_FR: 'Entretien des plantes grimpantes, un an' },
      type: 'service',
      list_price: '264',
      uom_id: ref('unit'),
      taxes_id: [ref('tax_standard')],
      categ_id: ref('all_products'),
    },
  }),
];
