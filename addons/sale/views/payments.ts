import { view } from '@pergola/web';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { PaymentEvent } from '../models/payment-event.ts';
import { PaymentRefund } from '../models/payment-refund.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleCancellation } from '../models/sale-cancellation.ts';

/** Domain of refunds that haven't been paid out yet. */
const going = [['state', 'in', ['draft', 'to_transfer', 'pending']]] as const;

export const paymentViews = [
  view.list(PaymentTransaction, {
    columns: [
      'reference',
      'sale_order_id',
      'partner_name',
      'acquirer_id',
      'amount',
      'state',
      { field: 'create_date', optional: true },
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
        confirm: 'Have you received this payment? The order will be confirmed.',
      },
      {
        method: 'markCancelled',
        label: 'Cancel payment',
        when: [['state', 'in', ['draft', 'pending']]],
        confirm: 'Cancel this payment?',
      },
      {
        opens: { model: 'payment.refund', by: 'transaction_id', along: ['sale_order_id'] },
        label: 'Refund',
        mails: true,
        when: [['amount_left', '>', 0]],
      },
      {
        method: 'takeBack',
        label: 'Reverse payment',
        when: [
          ['is_manual', '=', true],
          ['state', '=', 'done'],
        ],
        groups: ['sale.group_sale_manager'],
        confirm: 'Registered by mistake? The payment will no longer count towards its order.',
      },
    ],
    sections: [
      {
        items: [
          'sale_order_id',
          'amount',
          'acquirer_id',
          { field: 'create_date', when: [['state', '!=', 'draft']] },
          'date_validate',
          'acquirer_reference',
          { field: 'amount_left', when: [['state', '=', 'done']] },
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
      { id: 'state', label: 'Status', by: 'state' },
    ],
  }),
  view.list(PaymentRefund, {
    columns: [
      'reference',
      'sale_order_id',
      'acquirer_id',
      'amount',
      'state',
      'create_date',
      'date_done',
      { field: 'create_uid', label: 'By' },
      { field: 'reason', optional: true },
    ],
  }),
  view.form(PaymentRefund, {
    title: 'reference',
    status: 'state',
    buttons: [
      {
        method: 'markDone',
        label: 'Mark as refunded',
        primary: true,
        bulk: true,
        when: [['state', 'in', ['to_transfer', 'pending']]],
        confirm: 'Have you made the transfer? We’ll notify the customer.',
      },
      {
        method: 'markCancelled',
        label: 'Cancel refund',
        when: [['state', '=', 'to_transfer']],
        confirm: 'Cancel this refund? The amount can then be refunded again.',
      },
      { method: 'retry', label: 'Try again', when: [['state', '=', 'draft']] },
    ],
    sections: [
      {
        items: [
          'sale_order_id',
          'amount',
          { field: 'amount_there', when: going },
          'transaction_id',
          'reason',
          { field: 'question', wide: true, when: going },
          { field: 'date_done', when: [['state', '=', 'done']] },
          { field: 'acquirer_reference', when: [['acquirer_reference', '!=', false]] },
          { field: 'is_manual', when: [['is_manual', '=', true]] },
          { field: 'state_message', wide: true, when: [['state_message', '!=', false]] },
        ],
      },
    ],
  }),
  view.search(PaymentRefund, {
    fields: ['reference', 'sale_order_id', 'reason'],
    filters: [
      { id: 'to_transfer', label: 'To transfer', domain: [['state', '=', 'to_transfer']] },
      { id: 'failed', label: 'Failed', domain: [['state', '=', 'error']] },
    ],
    groups: [{ id: 'state', label: 'Status', by: 'state' }],
  }),
  view.list(SaleCancellation, {
    columns: ['order_id', 'create_date', { field: 'create_uid', label: 'By' }, 'amount_there', 'refund', 'reason'],
  }),
  view.form(SaleCancellation, {
    sections: [{ items: ['order_id', { field: 'money_there', wide: true }, 'refund', 'reason'] }],
  }),
  view.list(PaymentAcquirer, {
    columns: ['name', 'provider', 'validation', 'environment', 'website_published', 'not_offered', 'sequence'],
  }),
  view.form(PaymentAcquirer, {
    title: 'name',
    image: 'image',
    buttons: [
      {
        method: 'openCompany',
        label: 'Add bank account',
        primary: true,
        when: [['not_offered', '!=', false]],
        groups: ['base.group_system'],
      },
    ],
    sections: [
      {
        items: [
          'provider',
          'validation',
          'environment',
          'website_published',
          { field: 'not_offered', wide: true, when: [['not_offered', '!=', false]] },
          'company_id',
          'sequence',
          'active',
        ],
      },
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
