import { menu, view } from '@pergola/web';
import { QuotedProduct } from './models/product-template.ts';
import { QuoteLine } from './models/quote-line.ts';
import { QuoteOption } from './models/quote-option.ts';
import { QuoteTemplate } from './models/quote-template.ts';
import { QuotedOrder } from './models/sale-order.ts';
import { SaleOrderOption } from './models/sale-order-option.ts';
import { SaleOrderSignature } from './models/sale-order-signature.ts';

const signatureColumns = ['signer', 'date', 'ip', 'amount_total', 'document_id', 'hash'];
const optionColumns = ['product_id', 'name', 'quantity', 'uom_id', 'price_unit', 'discount'];

export const views = [
  view.list(QuoteTemplate, { columns: ['name', 'number_of_days', { field: 'active', optional: true }] }),
  view.form(QuoteTemplate, {
    title: 'name',
    sections: [{ items: ['number_of_days', 'active', 'preview_url'] }],
    tabs: [
      {
        label: 'Lines',
        sections: [
          {
            items: [
              {
                field: 'quote_line',
                columns: ['product_id', 'name', 'product_uom_qty', 'product_uom_id', 'price_unit', 'discount'],
                wide: true,
              },
            ],
          },
        ],
      },
      { label: 'Options', sections: [{ items: [{ field: 'options', columns: optionColumns, wide: true }] }] },
      { label: 'Page', sections: [{ items: [{ field: 'website_description', wide: true }] }] },
      { label: 'Terms', sections: [{ items: [{ field: 'note', wide: true }] }] },
    ],
  }),
  view.search(QuoteTemplate, { fields: ['name'] }),
  view.list(QuoteLine, { columns: ['quote_id', 'product_id', 'name', 'product_uom_qty', 'price_unit', 'discount'] }),
  view.list(QuoteOption, {
    columns: ['template_id', ...(['product_id', 'name', 'quantity', 'price_unit', 'discount'] as const)],
  }),
  view.list(SaleOrderOption, {
    columns: ['order_id', 'product_id', 'name', 'quantity', 'price_unit', 'discount', 'line_id'],
  }),
  view.list(SaleOrderSignature, { columns: ['order_id', 'signer', 'date', 'amount_total', 'document_id'] }),
  view.form(SaleOrderSignature, {
    title: 'signer',
    sections: [
      { items: ['order_id', 'signer', 'date', 'ip', 'amount_total', 'picture', 'document_id', 'version', 'hash'] },
    ],
  }),
  view.list(QuotedOrder, {
    adds: true,
    columns: [
      { field: 'validity_date', optional: true },
      { field: 'viewed_date', optional: true },
    ],
  }),
  view.form(QuotedOrder, {
    adds: true,
    sections: [
      {
        label: 'Quotation',
        items: [
          { field: 'template_id', when: [['state', '=', 'draft']] },
          'validity_date',
          'customer_changes',
          'quote_url',
          'viewed_date',
          { field: 'signer', when: [['signer', '!=', false]] },
          { field: 'signed_date', when: [['signer', '!=', false]] },
          { field: 'signed_document_id', when: [['signer', '!=', false]] },
          { field: 'decline_reason', when: [['decline_reason', '!=', false]] },
        ],
      },
    ],
    tabs: [
      {
        label: 'Options',
        sections: [{ items: [{ field: 'options', columns: [...optionColumns, 'line_id'], wide: true }] }],
      },
      { label: 'Page', sections: [{ items: [{ field: 'website_description', wide: true }] }] },
      {
        label: 'Signature',
        sections: [
          { items: ['signer', 'signed_date', 'signed_ip', 'signed_hash', 'signature', 'signed_document_id'] },
          { items: [{ field: 'signature_ids', columns: signatureColumns, wide: true }] },
        ],
      },
    ],
  }),
  view.search(QuotedOrder, {
    adds: true,
    filters: [
      { id: 'signed', label: 'Signed', domain: [['signer', '!=', false]] },
      { id: 'declined', label: 'Declined', domain: [['decline_reason', '!=', false]] },
    ],
    groups: [{ id: 'template', label: 'Template', by: 'template_id' }],
  }),
  view.form(QuotedProduct, {
    adds: true,
    tabs: [{ label: 'Quotations', sections: [{ items: [{ field: 'quote_description', wide: true }] }] }],
  }),
];

export const menus = [
  menu('quote.menu_templates', {
    label: 'Quotation templates',
    parent: 'sale.menu_catalogue',
    model: QuoteTemplate,
    groups: ['sale.group_sale_user'],
    after: 'sale.menu_stock',
  }),
];
