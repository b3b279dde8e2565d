import { Sequence } from '@pergola/base';
import { type Ctx, data, ref } from 'pergola';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { ProductCategory } from '../models/product-category.ts';
import { ProductPricelist } from '../models/product-pricelist.ts';
import { ProductUom } from '../models/product-uom.ts';

export default [
  data(
    Sequence,
    { order_sequence: { name: 'Sales orders', code: 'sale.order', prefix: 'SO', padding: 5 } },
    { noupdate: true },
  ),
  data(
    ProductUom,
    {
      unit: { name: { en_US: 'Unit', fr_FR: 'Unité' }, decimals: 0, sequence: 1 },
      hour: { name: { en_US: 'Hour', fr_FR: 'Heure' }, decimals: 2, sequence: 2 },
      kilogram: { name: { en_US: 'kg', fr_FR: 'kg' }, decimals: 3, sequence: 3 },
    },
    { noupdate: true },
  ),
  data(
    ProductCategory,
    { all_products: { name: { en_US: 'All products', fr_FR: 'Tous les articles' } } },
    { noupdate: true },
  ),
  data(
    ProductPricelist,
    {
      public_pricelist: {
        name: { en_US: 'Public prices', fr_FR: 'Tarif public' },
        currency_id: ref('base.eur'),
        sequence: 1,
      },
    },
    { noupdate: true },
  ),
  data(
    PaymentAcquirer,
    async ({ config }: Ctx) => ({
      transfer: {
        name: { en_US: 'Wire Transfer', fr_FR: 'Virement bancaire' },
        provider: 'transfer',
        validation: 'manual' as const,
        environment: 'prod' as const,
        sequence: 1,
        pre_msg: {
          en_US: '<p>You’ll get our bank details after you order.</p>',
          fr_FR: '<p>Vous recevrez nos coordonnées bancaires après votre commande.</p>',
        },
      },
      test_card: {
        name: { en_US: 'Test card', fr_FR: 'Carte de test' },
        provider: 'test_card',
        validation: 'automatic' as const,
        environment: 'test' as const,
        // Published in demos only: a real shop must not give goods away for test payments.
        website_published: config.demo,
        sequence: 2,
        pre_msg: {
          en_US: '<p>Test card. No real payment is taken.</p>',
          fr_FR: '<p>Carte de test. Aucun paiement réel n’est effectué.</p>',
        },
      },
    }),
    { noupdate: true },
  ),
];
