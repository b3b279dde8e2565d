import { listSessions } from 'pergola/http';
import { accountEntry } from './points/account-entries.ts';

export const entries = [
  accountEntry('web.profile', {
    part: 'profile',
    label: 'Profile and password',
    help: 'Name, picture, language, e-mail address and password',
    icon: 'person-circle',
    url: '/web/account',
  }),
  accountEntry('web.sessions', {
    part: 'security',
    label: 'Where I am signed in',
    help: 'Devices, and signing out of them',
    icon: 'window',
    url: '/web/account#account-sessions',
    load: async (ctx) => (ctx.user.id === null ? null : { count: (await listSessions(ctx, ctx.user.id)).length }),
  }),
];
