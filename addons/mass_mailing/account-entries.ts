import { accountEntry } from '@pergola/web';

export const entries = [
  accountEntry('mass_mailing.newsletter', {
    part: 'profile',
    label: 'Newsletter',
    help: 'Email preferences',
    icon: 'envelope',
    url: '/my/newsletter',
  }),
];
