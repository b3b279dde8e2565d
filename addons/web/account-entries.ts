import { listSessions } from 'pergola/http';
import { accountEntry } from './points/account-entries.ts';

export const entries = [
  accountEntry('web.profile', {
    part: 'profile',
    label: 'Profile and password',
    help: 'Name, picture, language, email address and password',
    icon: 'person-circle',
    url: '/web/account',
  }),
  accountEntry('web.sessions', {
    part: 'security',
    label: 'Signed-in devices',
    help: 'Your devices, and sign-out for each of them',
    icon: 'window',
    url: '/web/account#account-sessions',
    load: async (ctx) => (ctx.user.id === null ? null : { count: (await listSessions(ctx, ctx.user.id)).length }),
  }),
];
