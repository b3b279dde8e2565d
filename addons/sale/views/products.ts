import { view } from '@pergola/web';
import { ProductAttribute } from '../models/product-attribute.ts';
import { ProductAttributeExclusion } from '../models/product-attribute-exclusion.ts';
import { ProductAttributeLine } from '../models/product-attribute-line.ts';
import { ProductAttributePrice } from '../models/product-attribute-price.ts';
import { ProductAttributeValue } from '../models/product-attribute-value.ts';
import { ProductCategory } from '../models/product-category.ts';
import { ProductProduct } from '../models/product-product.ts';
import { ProductStock } from '../models/product-stock.ts';
import { ProductTemplate } from '../models/product-template.ts';
import { ProductUom } from '../models/product-uom.ts';

export const productViews = [
  view.list(ProductTemplate, {
    columns: [
      'name',
      'categ_id',
      'list_price',
      'currency_id',
      'product_variant_count',
      'sale_ok',
      { field: 'inventory', optional: true },
    ],
  }),
  view.kanban(ProductTemplate, { title: 'name', image: 'image', lines: ['list_price', 'qty_available'] }),
  view.form(ProductTemplate, {
    title: 'name',
    image: 'image',
    counts: [
      {
        label: 'Sold',
        icon: 'cart-check',
        model: 'sale.order.line',
        by: 'product_id.product_tmpl_id',
        domain: [['state', 'in', ['sale', 'done']]],
        sum: 'product_uom_qty',
      },
      {
        label: 'On hand',
        icon: 'box-seam',
        model: 'product.stock',
        by: 'product_id.product_tmpl_id',
        sum: 'quantity',
        menu: 'sale.menu_stock',
      },
    ],
    sections: [
      { items: ['sale_ok', 'type', 'categ_id', 'list_price', 'currency_id', 'taxes_id', 'uom_id', 'inventory'] },
      { items: [{ field: 'description_sale', wide: true }] },
    ],
    tabs: [
      {
        label: 'Variants',
        sections: [
          {
            items: [
              { field: 'attribute_line_ids', columns: ['attribute_id', 'value_ids', 'sequence'], wide: true },
              { field: 'attribute_price_ids', columns: ['value_id', 'price_extra'], wide: true },
              { field: 'exclusion_ids', columns: ['value_ids'], wide: true },
              {
                field: 'product_variant_ids',
                columns: ['attribute_value_ids', 'default_code', 'lst_price', 'qty_available'],
                wide: true,
              },
            ],
          },
        ],
      },
      {
        label: 'More',
        sections: [
          { items: ['standard_price', 'company_id', 'sequence', 'active', { field: 'description', wide: true }] },
        ],
      },
    ],
  }),
  view.search(ProductTemplate, {
    fields: ['name', 'description_sale', 'categ_id'],
    filters: [
      { id: 'sold', label: 'Can be sold', domain: [['sale_ok', '=', true]] },
      { id: 'stocked', label: 'Stock tracked', domain: [['inventory', '=', 'kept']] },
      { id: 'archived', label: 'Archived', domain: [['active', '=', false]] },
    ],
    groups: [{ id: 'category', label: 'Category', by: 'categ_id' }],
  }),
  view.list(ProductProduct, {
    columns: [
      'display_name',
      'default_code',
      'ean13',
      'lst_price',
      'qty_available',
      { field: 'active', optional: true },
    ],
  }),
  view.form(ProductProduct, {
    title: 'display_name',
    image: 'image_variant',
    sections: [
      {
        items: [
          'product_tmpl_id',
          'attribute_value_ids',
          'default_code',
          'ean13',
          'lst_price',
          'price_extra',
          'qty_available',
          'active',
        ],
      },
    ],
  }),
  view.search(ProductProduct, {
    fields: ['default_code', 'ean13', 'product_tmpl_id'],
    filters: [{ id: 'archived', label: 'Archived', domain: [['active', '=', false]] }],
    groups: [{ id: 'product', label: 'Product', by: 'product_tmpl_id' }],
  }),
  view.list(ProductStock, { columns: ['product_id', 'quantity'], editable: true }),
  view.form(ProductStock, { sections: [{ items: ['product_id', 'quantity'] }] }),
  view.list(ProductCategory, { columns: ['name', 'parent_id', 'sequence'], editable: true }),
  view.form(ProductCategory, {
    title: 'name',
    sections: [{ items: ['parent_id', 'sequence', { field: 'child_ids', columns: ['name', 'sequence'], wide: true }] }],
  }),
  view.list(ProductUom, { columns: ['name', 'decimals', 'sequence', 'active'], editable: true }),
  view.list(ProductAttribute, { columns: ['name', 'type', 'sequence'] }),
  view.form(ProductAttribute, {
    title: 'name',
    sections: [
      { items: ['type', 'sequence', { field: 'value_ids', columns: ['name', 'color', 'sequence'], wide: true }] },
    ],
  }),
  view.list(ProductAttributeValue, { columns: ['attribute_id', 'name', 'color', 'sequence'] }),
  view.list(ProductAttributeLine, { columns: ['product_tmpl_id', 'attribute_id', 'value_ids'] }),
  view.list(ProductAttributePrice, { columns: ['product_tmpl_id', 'value_id', 'price_extra'] }),
  view.list(ProductAttributeExclusion, { columns: ['product_tmpl_id', 'value_ids'] }),
];
