import { f, model } from '#core';

const states = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  bounced: 'Came back',
  skipped: 'Left out',
};
export type RecipientState = keyof typeof states;

/**
 * One mail of a mailing to one address, and what became of it: the row says that it goes out at all, and once. Only the sender, bounces and
 * links change it.
 */
export class MailRecipient extends model(
  'mail.mail.statistics',
  {
    mass_mailing_id: f.many2one('mail.mass_mailing', { required: true, ondelete: 'cascade', label: 'Mailing' }),
    contact_id: f.many2one('mail.mass_mailing.contact', { empty: 'none', index: true }),
    email: f.char({ required: true, size: 254, label: 'Email' }),
    state: f.selection(states, {
      default: 'waiting',
      colors: { sent: 'success', failed: 'danger', bounced: 'danger', skipped: 'warning' },
    }),
    attempts: f.integer({ default: 0, label: 'Tries' }),
    next_at: f.datetime({ readonly: true, label: 'Next try' }),
    exception: f.char({ size: 500, label: 'What went wrong' }),
    sent: f.datetime({ label: 'Sent on' }),
    opened: f.datetime({ label: 'Opened on' }),
    clicked: f.datetime({ label: 'Followed a link on' }),
    bounced: f.datetime({ label: 'Came back on' }),
    unsubscribed: f.datetime({ label: 'Unsubscribed on' }),
  },
  {
    order: 'id',
    nameField: 'email',
    unique: [{ fields: ['mass_mailing_id', 'email'], message: 'This mailing goes to this address already.' }],
    indexes: [['mass_mailing_id', 'state', 'id']],
    label: 'Recipient',
  },
) {}

declare module '#core' {
  interface Models {
    'mail.mail.statistics': MailRecipient;
  }
}
