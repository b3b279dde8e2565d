import { Partner } from '@pergola/base';
import { view } from '@pergola/web';
import { SaleCompany } from '../models/res-company.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { OrderEmail } from '../models/sale-order-email.ts';
import { SaleOrderLine } from '../models/sale-order-line.ts';

const lines = [
  'product_id',
  'name',
  'product_uom_qty',
  'price_unit',
  'discount',
  'tax_id',
  'shown_unit',
  'shown_amount',
];

export const orderViews = [
  view.list(SaleOrder, {
    columns: [
      'name',
      'date_order',
      'partner_id',
      'invoice_name',
      { field: 'invoice_email', optional: true },
      { field: 'user_id', optional: true },
      { field: 'amount_untaxed', optional: true },
      { field: 'amount_total', total: 'sum' },
      'state',
      'mail_state',
      'payment_state',
      { field: 'blocked_reason', optional: true },
      { field: 'blocked_note', optional: true },
      { field: 'amount_owed', optional: true, total: 'sum' },
    ],
  }),
  view.kanban(SaleOrder, {
    title: 'name',
    lines: ['invoice_name', 'amount_total', 'payment_state', 'mail_state'],
    groupBy: 'state',
  }),
  view.form(SaleOrder, {
    title: 'name',
    status: 'state',
    buttons: [
      {
        opens: { model: 'sale.order.email', by: 'order_id' },
        label: 'Send by email',
        primary: true,
        mails: true,
        when: [['state', '=', 'draft']],
      },
      {
        opens: { model: 'sale.order.email', by: 'order_id' },
        label: 'Send again',
        mails: true,
        when: [['state', 'in', ['sent', 'sale', 'done']]],
      },
      { method: 'confirm', label: 'Confirm', primary: true, when: [['state', 'in', ['draft', 'sent']]] },
      {
        opens: { model: 'payment.transaction', by: 'sale_order_id' },
        label: 'Register payment',
        mails: true,
        when: [
          ['state', '!=', 'cancel'],
          ['is_cart', '=', false],
          ['amount_open', '>', 0],
        ],
      },
      {
        opens: { model: 'payment.refund', by: 'sale_order_id' },
        label: 'Refund',
        mails: true,
        when: [
          ['amount_paid', '>', 0],
          ['payment_state', '!=', 'refunded'],
        ],
      },
      {
        method: 'refundOwed',
        label: 'Issue refund',
        primary: true,
        when: [['amount_owed', '>', 0]],
        confirm: 'The amount under “To refund” goes back to the customer, who is notified by email.',
      },
      {
        method: 'removeVoid',
        label: 'Remove unavailable items',
        when: [
          ['blocked_reason', '=', 'invalid'],
          ['state', 'in', ['draft', 'sent']],
        ],
        confirm: 'Items that are no longer available are removed. The customer is notified of the new total.',
      },
      {
        method: 'resume',
        label: 'Mark as reviewed',
        when: [
          ['blocked_reason', '=', 'invalid'],
          ['state', 'in', ['sale', 'done']],
        ],
        confirm: 'The order will no longer need review. Tickets cancelled with their event will be issued again.',
      },
      {
        reviews: { changes: 'priceChanges', apply: 'updatePrices' },
        label: 'Update prices',
        when: [['state', 'in', ['draft', 'sent']]],
      },
      { method: 'finish', label: 'Mark as done', when: [['state', '=', 'sale']] },
      {
        method: 'reopen',
        label: 'Back to quotation',
        when: [['state', 'in', ['sent', 'cancel']]],
      },
      {
        method: 'cancel',
        label: 'Cancel order',
        when: [
          ['state', 'in', ['draft', 'sent', 'sale']],
          '|',
          ['amount_paid', '=', 0],
          ['payment_state', '=', 'refunded'],
        ],
        confirm: 'Reserved or used stock becomes available again.',
      },
      {
        opens: { model: 'sale.cancellation', by: 'order_id' },
        label: 'Cancel and refund',
        mails: true,
        when: [
          ['state', 'in', ['draft', 'sent', 'sale']],
          ['amount_paid', '!=', 0],
          ['payment_state', '!=', 'refunded'],
        ],
      },
    ],
    documents: [{ label: 'Print (PDF)', url: '/sale/order/{id}/pdf' }],
    sections: [
      {
        items: [
          { field: 'mail_state', when: [['mail_state', '!=', false]] },
          { field: 'blocked_reason', when: [['blocked_reason', '!=', false]] },
          { field: 'invoice_vat_state', when: [['invoice_vat_state', 'in', ['unverified', 'invalid']]] },
          { field: 'blocked_note', when: [['blocked_note', '!=', false]], wide: true },
          { field: 'amount_owed', when: [['amount_owed', '>', 0]] },
          'partner_id',
          'date_order',
          { field: 'date_confirm', when: [['date_confirm', '!=', false]] },
          'user_id',
          'pricelist_id',
          'fiscal_position',
          'payment_state',
          { field: 'amount_paid', when: [['amount_paid', '>', 0]] },
          { field: 'amount_refunded', when: [['amount_refunded', '>', 0]] },
          {
            field: 'amount_open',
            when: [
              ['amount_paid', '>', 0],
              ['amount_open', '>=', 0],
            ],
          },
          { field: 'amount_refund_due', when: [['amount_refund_due', '>', 0]] },
          { field: 'amount_over', when: [['amount_over', '>', 0]] },
        ],
      },
    ],
    tabs: [
      {
        label: 'Lines',
        sections: [
          {
            items: [{ field: 'order_line', columns: lines, wide: true }],
          },
          { items: ['amount_untaxed', 'amount_tax', 'amount_total'], totals: true },
          { items: [{ field: 'note', wide: true }] },
        ],
      },
      {
        label: 'Addresses',
        sections: [
          {
            label: 'Billing address',
            items: [
              'invoice_name',
              'invoice_company',
              'invoice_email',
              'invoice_phone',
              'invoice_street',
              'invoice_street2',
              'invoice_zip',
              'invoice_city',
              'invoice_state_id',
              'invoice_country_id',
              'invoice_vat',
              { field: 'invoice_vat_state', when: [['invoice_vat_state', '!=', false]] },
              { field: 'invoice_vat_checked', when: [['invoice_vat_checked', '!=', false]] },
              { field: 'invoice_vat_consultation', when: [['invoice_vat_consultation', '!=', false]] },
            ],
          },
          {
            label: 'Shipping address',
            items: [
              'shipping_same',
              { field: 'shipping_name', when: [['shipping_same', '=', false]] },
              { field: 'shipping_company', when: [['shipping_same', '=', false]] },
              { field: 'shipping_phone', when: [['shipping_same', '=', false]] },
              { field: 'shipping_street', when: [['shipping_same', '=', false]] },
              { field: 'shipping_street2', when: [['shipping_same', '=', false]] },
              { field: 'shipping_zip', when: [['shipping_same', '=', false]] },
              { field: 'shipping_city', when: [['shipping_same', '=', false]] },
              { field: 'shipping_state_id', when: [['shipping_same', '=', false]] },
              { field: 'shipping_country_id', when: [['shipping_same', '=', false]] },
            ],
          },
        ],
      },
      {
        label: 'Payments',
        sections: [
          {
            items: [
              'payment_acquirer_id',
              { field: 'wait_until', when: [['wait_until', '!=', false]] },
              { field: 'confirmed_email', when: [['confirmed_email', '!=', false]] },
              { field: 'money_history', widget: 'table', wide: true },
            ],
          },
        ],
      },
      {
        label: 'More',
        sections: [
          { items: ['company_id', 'currency_id', 'lang', 'client_order_ref', 'origin', 'is_cart', 'cart_quantity'] },
        ],
      },
    ],
  }),
  view.list(OrderEmail, {
    columns: ['order_id', 'create_date', { field: 'create_uid', label: 'By' }, 'email_to', 'subject'],
  }),
  view.form(OrderEmail, {
    sections: [
      {
        items: [
          { field: 'sending', wide: true },
          'template',
          'email_to',
          { field: 'subject', wide: true },
          { field: 'body', wide: true },
          'attach',
        ],
      },
    ],
  }),
  view.form(SaleCompany, {
    adds: true,
    sections: [
      { label: 'Bank account', items: ['bank_account', 'bank_name', 'bank_bic'] },
      {
        label: 'Sales',
        items: ['account_sale_tax_id', 'tax_calculation_rounding_method', { field: 'sale_note', wide: true }],
      },
    ],
  }),
  view.form(Partner, {
    adds: true,
    counts: [
      { label: 'Quotations', icon: 'pencil', model: 'sale.order', by: 'partner_id', menu: 'sale.menu_quotations' },
      { label: 'Orders', icon: 'receipt', model: 'sale.order', by: 'partner_id', menu: 'sale.menu_orders' },
    ],
  }),
  view.search(SaleOrder, {
    fields: ['name', 'invoice_name', 'invoice_email', 'partner_id', 'client_order_ref'],
    filters: [
      { id: 'quotations', label: 'Quotations', domain: [['state', 'in', ['draft', 'sent']]] },
      { id: 'orders', label: 'Orders', domain: [['state', 'in', ['sale', 'done']]] },
      { id: 'to_treat', label: 'To fulfil', domain: [['state', '=', 'sale']] },
      { id: 'unpaid', label: 'Awaiting payment', domain: [['payment_state', 'in', ['pending', 'part']]] },
      { id: 'refund_due', label: 'Refund due', domain: [['payment_state', '=', 'refund_due']] },
      { id: 'blocked', label: 'Needs review', domain: [['blocked_reason', '!=', false]] },
      { id: 'vat_unverified', label: 'VAT number to be checked', domain: [['invoice_vat_state', '=', 'unverified']] },
      { id: 'owed', label: 'To refund', domain: [['amount_owed', '>', 0]] },
      { id: 'carts', label: 'Carts', domain: [['is_cart', '=', true]] },
    ],
    groups: [
      { id: 'state', label: 'Status', by: 'state' },
      { id: 'customer', label: 'Customer', by: 'partner_id' },
      { id: 'salesperson', label: 'Salesperson', by: 'user_id' },
      { id: 'month', label: 'Month', by: 'date_order:month' },
    ],
  }),
  view.graph(SaleOrder, { measure: 'amount_total', groupBy: ['date_order:month', 'state'] }),
  view.pivot(SaleOrder, {
    rows: ['date_order:month'],
    columns: ['state'],
    measures: ['amount_total', '__count'],
  }),
  view.search(SaleOrderLine, {
    fields: ['name', 'product_id', 'order_partner_id'],
    filters: [
      { id: 'sold', label: 'Sold', domain: [['state', 'in', ['sale', 'done']]] },
      { id: 'offered', label: 'Quotations', domain: [['state', 'in', ['draft', 'sent']]] },
    ],
    groups: [
      { id: 'category', label: 'Category', by: 'categ_id' },
      { id: 'product', label: 'Product', by: 'product_id' },
      { id: 'customer', label: 'Customer', by: 'order_partner_id' },
      { id: 'salesperson', label: 'Salesperson', by: 'salesman_id' },
      { id: 'month', label: 'Month', by: 'order_date:month' },
    ],
  }),
  view.graph(SaleOrderLine, { measure: 'price_total', groupBy: ['order_date:month', 'categ_id'] }),
  view.pivot(SaleOrderLine, {
    rows: ['categ_id', 'product_id'],
    columns: ['order_date:month'],
    measures: ['price_total'],
  }),
  view.list(SaleOrderLine, {
    columns: [
      'order_id',
      'product_id',
      'name',
      'product_uom_qty',
      'shown_unit',
      'shown_amount',
      { field: 'price_subtotal', total: 'sum' },
      { field: 'price_total', total: 'sum' },
      'state',
    ],
  }),
  view.form(SaleOrderLine, {
    sections: [
      {
        items: [
          'order_id',
          'product_id',
          { field: 'name', wide: true },
          'product_uom_qty',
          'product_uom',
          'price_unit',
          'price_list',
          'discount',
          'tax_id',
          'shown_unit',
          'shown_amount',
          'price_subtotal',
          'price_tax',
          'price_total',
          'sequence',
        ],
      },
    ],
  }),
];
