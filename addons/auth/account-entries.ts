import { accountEntry } from '@pergola/web';

export const entries = [
  accountEntry('auth.keys', {
    part: 'security',
    label: 'Keys',
    help: 'A second step, passkeys and access tokens for programs',
    icon: 'key',
    url: '/web/account/keys',
  }),
];
