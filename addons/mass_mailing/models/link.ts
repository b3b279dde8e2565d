import { f, model } from 'pergola';

/** A link target in a mailing whose clicks are counted. */
export class MailingLink extends model(
  'mail.mass_mailing.link',
  {
    mass_mailing_id: f.many2one('mail.mass_mailing', { required: true, ondelete: 'cascade', label: 'Mailing' }),
    url: f.char({ required: true, size: 2_000, label: 'URL' }),
    clicks: f.integer({ default: 0, label: 'Clicks' }),
  },
  {
    order: 'clicks desc, id',
    nameField: 'url',
    indexes: [['mass_mailing_id']],
    label: 'Mailing link',
  },
) {}

declare module 'pergola' {
  interface Models {
    'mail.mass_mailing.link': MailingLink;
  }
}
