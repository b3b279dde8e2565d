import { isEmailAddress, setting, z } from 'pergola';

const section = 'Mailings';

export const mailRate = setting('mass_mailing.rate', z.number().int().min(0).max(10_000), 0, {
  label: 'Maximum emails per second',
  help: 'Per mailing; 0 for no limit. Starting slowly helps a new mail server build trust',
  section,
});

export const mailConnections = setting('mass_mailing.connections', z.number().int().min(1).max(20), 5, {
  label: 'Simultaneous mail server connections',
  section,
});

export const bounceAddress = setting(
  'mass_mailing.bounce_address',
  z.string().refine((text) => text === '' || isEmailAddress(text), 'Enter a valid email address.'),
  '',
  {
    label: 'Bounce address',
    help: 'For example, bounces@example.org. Emails to bounces+anything@example.org must arrive in the same mailbox. Leave empty to use the sender’s address',
    section,
  },
);
