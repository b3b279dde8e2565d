import { menu, view } from '@pergola/web';
import { ShopPricelist } from './models/product-pricelist.ts';
import { ShopVariant } from './models/product-product.ts';
import { PublicCategory } from './models/product-public-category.ts';
import { ProductStyle } from './models/product-style.ts';
import { ShopTemplate } from './models/product-template.ts';
import { ShopOrder } from './models/sale-order.ts';
import { ShopOrderLine } from './models/sale-order-line.ts';
import { ShopWebsite } from './models/website.ts';
import { ShopView } from './models/website-sale-view.ts';

export const views = [
  view.list(ShopTemplate, {
    columns: ['website_published', { field: 'website_sequence', optional: true }],
    adds: true,
  }),
  view.kanban(ShopTemplate, { lines: ['website_published'], adds: true }),
  view.form(ShopTemplate, {
    adds: true,
    tabs: [
      {
        label: 'Shop',
        sections: [
          {
            items: [
              'website_published',
              'website_url',
              'website_id',
              'public_categ_ids',
              'website_sequence',
              'website_size_x',
              'website_size_y',
              'website_style_ids',
              'alternative_product_ids',
              'accessory_product_ids',
              { field: 'image_ids', columns: ['name', 'image', 'value_id', 'product_id', 'sequence'], wide: true },
              { field: 'website_description', wide: true },
            ],
          },
          {
            label: 'SEO',
            items: ['website_meta_title', 'website_meta_description', 'website_meta_keywords', 'website_meta_og_img'],
          },
        ],
      },
    ],
  }),
  view.search(ShopTemplate, {
    adds: true,
    filters: [
      { id: 'published', label: 'Published', domain: [['website_published', '=', true]] },
      { id: 'unpublished', label: 'Not published', domain: [['website_published', '=', false]] },
    ],
    groups: [],
  }),
  view.form(ShopVariant, {
    adds: true,
    sections: [{ items: [{ field: 'image_ids', columns: ['name', 'image', 'sequence'], wide: true }] }],
  }),
  view.form(ShopWebsite, {
    adds: true,
    tabs: [
      {
        label: 'Shop',
        sections: [{ items: ['shop_delivery', 'shop_returns', 'shop_delivery_page_id', 'shop_terms_page_id'] }],
      },
    ],
  }),
  view.form(ShopPricelist, { adds: true, sections: [{ label: 'Shop', items: ['code', 'selectable', 'website_id'] }] }),
  view.list(ShopPricelist, { columns: ['code', 'selectable'], adds: true }),
  view.form(ShopOrder, {
    adds: true,
    sections: [
      { label: 'Shop', items: [{ field: 'customer_note', wide: true, when: [['customer_note', '!=', false]] }] },
    ],
    tabs: [{ label: 'More', sections: [{ items: ['website_id'] }] }],
  }),
  view.list(PublicCategory, {
    columns: ['display_name', 'sequence', 'website_published', { field: 'website_id', optional: true }],
  }),
  view.form(PublicCategory, {
    title: 'name',
    image: 'image',
    sections: [
      {
        items: [
          'parent_id',
          'sequence',
          'website_published',
          'website_url',
          'website_id',
          { field: 'description', wide: true },
        ],
      },
      {
        label: 'SEO',
        items: ['website_meta_title', 'website_meta_description', 'website_meta_keywords', 'website_meta_og_img'],
      },
    ],
  }),
  view.list(ProductStyle, { columns: ['name', 'html_class'], editable: true }),
  view.list(ShopView, { columns: ['day', 'kind', 'product_id', 'method', { field: 'count', total: 'sum' }] }),
  view.graph(ShopView, { chart: 'line', measure: 'count', groupBy: ['day:day', 'kind'] }),
  view.pivot(ShopView, { rows: ['product_id'], columns: ['kind'], measures: ['count'] }),
  view.search(ShopView, {
    filters: [
      { id: 'products', label: 'Products', domain: [['product_id', '!=', null]] },
      { id: 'payments', label: 'Payment methods', domain: [['kind', '=', 'order_payment']] },
    ],
    groups: [
      { id: 'day', label: 'Day', by: 'day:day' },
      { id: 'month', label: 'Month', by: 'day:month' },
      { id: 'kind', label: 'Type', by: 'kind' },
      { id: 'product', label: 'Product', by: 'product_id' },
      { id: 'method', label: 'Payment method', by: 'method' },
    ],
  }),
  view.search(ShopOrderLine, {
    adds: true,
    filters: [{ id: 'shop', label: 'Sold in the shop', domain: [['order_id.website_id', '!=', null]] }],
  }),
];

const user = ['sale.group_sale_user'];
const manager = ['sale.group_sale_manager'];

export const menus = [
  menu('website_sale.menu_figures', {
    label: 'Shop analytics',
    parent: 'sale.menu_reporting',
    model: ShopView,
    views: ['graph', 'pivot', 'list'],
    groups: user,
    after: 'sale.menu_sales_analysis',
  }),
  menu('website_sale.menu_public_categories', {
    label: 'Shop categories',
    parent: 'sale.menu_configuration',
    model: PublicCategory,
    groups: manager,
    after: 'sale.menu_categories',
  }),
  menu('website_sale.menu_styles', {
    label: 'Ribbons',
    parent: 'sale.menu_configuration',
    model: ProductStyle,
    groups: manager,
    after: 'website_sale.menu_public_categories',
  }),
];
