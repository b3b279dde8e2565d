import { view } from '#addons/web';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { PaymentEvent } from '../models/payment-event.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';

export const paymentViews = [
  view.list(PaymentTransaction, {
    columns: [
      'reference',
      'sale_order_id',
      'partner_name',
      'acquirer_id',
      'amount',
      'state',
      'create_date',
      'date_validate',
    ],
  }),
  view.form(PaymentTransaction, {
    title: 'reference',
    status: 'state',
    buttons: [
      {
        method: 'markPaid',
        label: 'Mark as paid',
        primary: true,
        when: [['state', 'in', ['draft', 'pending', 'error', 'cancel']]],
        confirm: 'Has the money come? The order is then confirmed.',
      },
      {
        method: 'markCancelled',
        label: 'Cancel payment',
        when: [['state', 'in', ['draft', 'pending']]],
        confirm: 'Cancel this payment?',
      },
      {
        method: 'takeBack',
        label: 'Take back',
        when: [
          ['is_manual', '=', true],
          ['state', '=', 'done'],
        ],
        groups: ['sale.group_sale_manager'],
        confirm: 'Was it registered by mistake? It then counts no more for its order.',
      },
    ],
    sections: [
      {
        items: [
          'sale_order_id',
          'acquirer_id',
          'amount',
          { field: 'create_date', when: [['state', '!=', 'draft']] },
          'date_validate',
          'acquirer_reference',
          { field: 'is_manual', when: [['is_manual', '=', true]] },
          { field: 'state_message', wide: true, when: [['state_message', '!=', false]] },
        ],
      },
      { label: 'Customer', items: ['partner_id', 'partner_name', 'partner_email', 'partner_lang'] },
    ],
  }),
  view.search(PaymentTransaction, {
    fields: ['reference', 'partner_name', 'partner_email'],
    filters: [
      { id: 'pending', label: 'Pending', domain: [['state', '=', 'pending']] },
      { id: 'paid', label: 'Paid', domain: [['state', '=', 'done']] },
    ],
    groups: [
      { id: 'method', label: 'Method', by: 'acquirer_id' },
      { id: 'state', label: 'State', by: 'state' },
    ],
  }),
  view.list(PaymentAcquirer, {
    columns: ['name', 'provider', 'validation', 'environment', 'website_published', 'sequence'],
  }),
  view.form(PaymentAcquirer, {
    title: 'name',
    image: 'image',
    sections: [
      { items: ['provider', 'validation', 'environment', 'website_published', 'company_id', 'sequence', 'active'] },
      {
        label: 'Messages',
        items: [
          { field: 'pre_msg', wide: true },
          { field: 'post_msg', wide: true },
        ],
      },
    ],
  }),
  view.list(PaymentEvent, { columns: ['received', 'acquirer_id', 'event_id', 'transaction_id', 'state'] }),
];
