import { WebsiteMenu } from '@pergola/website';
import { data, ref } from 'pergola';
import { ProductStyle } from '../models/product-style.ts';

export default [
  data(
    WebsiteMenu,
    {
      menu_shop: {
        name: { en_US: 'Shop', fr_FR: 'Boutique' },
        url: '/shop',
        parent_id: ref('website.main_menu'),
        sequence: 20,
      },
    },
    { noupdate: true },
  ),
  data(
    ProductStyle,
    {
      style_sale: { name: { en_US: 'Sale', fr_FR: 'Promo' }, html_class: 'oe_ribbon_promo' },
      style_new: { name: { en_US: 'New', fr_FR: 'Nouveau' }, html_class: 'oe_ribbon_new' },
    },
    { noupdate: true },
  ),
];
