import { isEmailAddress, setting, z } from 'pergola';

const section = 'Mailings';

export const mailRate = setting('mass_mailing.rate', z.number().int().min(0).max(10_000), 0, {
  label: 'Most mails a second',
  help: 'For each mailing; 0 for as many as the mail server takes. New servers are trusted more when they begin slowly',
  section,
});

export const mailConnections = setting('mass_mailing.connections', z.number().int().min(1).max(20), 5, {
  label: 'Connections to the mail server at once',
  section,
});

export const bounceAddress = setting(
  'mass_mailing.bounce_address',
  z.string().refine((text) => text === '' || isEmailAddress(text), 'This is not an e-mail address.'),
  '',
  {
    label: 'Address for mails that come back',
    help: 'bounces@example.org; mail to bounces+anything@example.org has to arrive in the same mailbox. Empty: the sender’s own',
    section,
  },
);
