import { view } from '@pergola/web';
import { FiscalPosition } from '../models/account-fiscal-position.ts';
import { AccountTax } from '../models/account-tax.ts';
import { TaxSetup } from '../models/account-tax-setup.ts';
import { ProductPricelist } from '../models/product-pricelist.ts';
import { PricelistItem } from '../models/product-pricelist-item.ts';

const formula = [['compute_price', '=', 'formula']];

export const priceViews = [
  view.list(ProductPricelist, { columns: ['name', 'currency_id', 'sequence', { field: 'active', optional: true }] }),
  view.form(ProductPricelist, {
    title: 'name',
    sections: [
      { items: ['currency_id', 'company_id', 'sequence', 'active'] },
      {
        label: 'Rules',
        items: [
          {
            field: 'item_ids',
            columns: [
              'product_tmpl_id',
              'product_id',
              'categ_id',
              'min_quantity',
              'date_start',
              'date_end',
              'compute_price',
              'fixed_price',
              'percent_price',
            ],
            wide: true,
          },
        ],
      },
    ],
  }),
  view.list(PricelistItem, {
    columns: [
      'pricelist_id',
      'sequence',
      'product_tmpl_id',
      'product_id',
      'categ_id',
      'min_quantity',
      'compute_price',
      'fixed_price',
      'percent_price',
    ],
  }),
  view.form(PricelistItem, {
    sections: [
      {
        label: 'Applies to',
        items: [
          'pricelist_id',
          'name',
          'product_tmpl_id',
          'product_id',
          'categ_id',
          'min_quantity',
          'date_start',
          'date_end',
          'sequence',
        ],
      },
      {
        label: 'Price',
        items: [
          'compute_price',
          { field: 'fixed_price', when: [['compute_price', '=', 'fixed']] },
          { field: 'percent_price', when: [['compute_price', '=', 'percentage']] },
          { field: 'base', when: [['compute_price', '!=', 'fixed']] },
          { field: 'base_pricelist_id', when: [['base', '=', 'pricelist']] },
          { field: 'price_discount', when: formula },
          { field: 'price_round', when: formula },
          { field: 'price_surcharge', when: formula },
          { field: 'price_min_margin', when: formula },
          { field: 'price_max_margin', when: formula },
        ],
      },
    ],
  }),
  view.list(AccountTax, {
    columns: ['name', 'type', 'amount', 'price_include', 'sequence', { field: 'active', optional: true }],
  }),
  view.form(AccountTax, {
    title: 'name',
    sections: [
      {
        items: [
          'description',
          'type',
          'amount',
          'price_include',
          'include_base_amount',
          'sequence',
          'company_id',
          'active',
        ],
      },
    ],
  }),
  view.list(TaxSetup, {
    columns: ['country', 'company_id', 'price_include', 'create_date', { field: 'create_uid', label: 'By' }],
  }),
  view.form(TaxSetup, {
    sections: [
      { items: ['country', 'company_id', 'price_include'] },
      { items: [{ field: 'plan', widget: 'table', wide: true }] },
    ],
  }),
  view.list(FiscalPosition, { columns: ['name', 'auto_apply', 'vat_required', 'sequence'] }),
  view.form(FiscalPosition, {
    title: 'name',
    sections: [
      { items: ['auto_apply', 'country_ids', 'vat_required', 'company_id', 'sequence', 'active'] },
      {
        items: [
          { field: 'tax_ids', columns: ['tax_src_id', 'tax_dest_id'], wide: true },
          { field: 'note', wide: true },
        ],
      },
    ],
  }),
];
