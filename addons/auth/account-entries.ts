import { accountEntry } from '@pergola/web';

export const entries = [
  accountEntry('auth.keys', {
    part: 'security',
    label: 'Sign-in security',
    help: 'Two-factor authentication, passkeys and access tokens',
    icon: 'key',
    url: '/web/account/keys',
  }),
];
