import { accountEntry } from '@pergola/web';

export const entries = [
  accountEntry('mass_mailing.newsletter', {
    part: 'profile',
    label: 'Newsletter',
    help: 'What you get by mail',
    icon: 'envelope',
    url: '/my/newsletter',
  }),
];
