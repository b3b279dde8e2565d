import { f, model } from 'pergola';

/** A processed notification of a provider; repeating it changes nothing. */
export class PaymentEvent extends model(
  'payment.event',
  {
    acquirer_id: f.many2one('payment.acquirer', { required: true, ondelete: 'cascade', index: true, label: 'Method' }),
    event_id: f.char({ required: true, size: 128, label: 'Event' }),
    transaction_id: f.many2one('payment.transaction', { ondelete: 'cascade', label: 'Payment' }),
    state: f.char({ size: 20, label: 'Reported status' }),
    received: f.datetime({ required: true }),
  },
  {
    order: 'id desc',
    nameField: 'event_id',
    label: 'Notification',
    unique: [{ fields: ['acquirer_id', 'event_id'] }],
    appendOnly: true,
  },
) {}

declare module 'pergola' {
  interface Models {
    'payment.event': PaymentEvent;
  }
}
