import { accountEntry } from '@pergola/web';
import { countOrders } from './pages/orders.ts';

export const entries = [
  accountEntry('website_sale.orders', {
    part: 'orders',
    label: 'Orders',
    help: 'Your purchases, with payments and documents',
    icon: 'bag-check',
    url: '/my/orders',
    load: async (ctx) => ({ count: await countOrders(ctx) }),
  }),
  accountEntry('website_sale.addresses', {
    part: 'profile',
    label: 'Addresses',
    help: 'Billing and shipping addresses',
    icon: 'geo-alt',
    url: '/my/addresses',
  }),
];
