import { f, model } from 'pergola';
import type { RefusalReason } from 'pergola/mail';

const states = {
  waiting: 'Waiting',
  held: 'Held (no mail server)',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Refused',
  bounced: 'Bounced',
  complained: 'Marked as spam',
  skipped: 'Excluded',
};
export type RecipientState = keyof typeof states;

/** Reason for a refusal or bounce, see `refusalReason`. */
const reasons: Readonly<Record<RefusalReason, string>> = {
  address: 'Address doesn’t exist',
  full: 'Mailbox full',
  content: 'Content rejected',
  sender: 'Sender rejected',
  later: 'Temporary problem',
};

/**
 * An email of a mailing to one address, with its status: `sent` once the mail server accepted it, `delivered` if confirmed by a report. The
 * row ensures that the email is sent once. Updated by the sender, delivery reports, and links.
 */
export class MailRecipient extends model(
  'mail.mail.statistics',
  {
    mass_mailing_id: f.many2one('mail.mass_mailing', { required: true, ondelete: 'cascade', label: 'Mailing' }),
    contact_id: f.many2one('mail.mass_mailing.contact', { empty: 'none', index: true }),
    email: f.char({ required: true, size: 254, label: 'Email' }),
    state: f.selection(states, {
      label: 'Status',
      default: 'waiting',
      colors: {
        held: 'warning',
        sent: 'info',
        delivered: 'success',
        failed: 'danger',
        bounced: 'danger',
        complained: 'danger',
        skipped: 'warning',
      },
    }),
    reason: f.selection(reasons, { label: 'Reason', empty: 'none' }),
    attempts: f.integer({ default: 0, label: 'Attempts' }),
    next_at: f.datetime({ readonly: true, label: 'Next attempt' }),
    exception: f.char({ size: 500, label: 'Server response' }),
    sent: f.datetime({ label: 'Sent on' }),
    opened: f.datetime({ label: 'Opened on' }),
    clicked: f.datetime({ label: 'Clicked on' }),
    bounced: f.datetime({ label: 'Bounced on' }),
    unsubscribed: f.datetime({ label: 'Unsubscribed on' }),
  },
  {
    order: 'id',
    nameField: 'email',
    unique: [{ fields: ['mass_mailing_id', 'email'], message: 'This mailing already goes to this address.' }],
    indexes: [['mass_mailing_id', 'state', 'id']],
    label: 'Recipient',
  },
) {}

declare module 'pergola' {
  interface Models {
    'mail.mail.statistics': MailRecipient;
  }
}
