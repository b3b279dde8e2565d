import { view } from '#core';
import { WebUser } from './models/res-users.ts';

/** What the backend's forms can do because of this addon. */
export const views = [
  view.form(WebUser, {
    adds: true,
    buttons: [
      {
        method: 'action_reset_password',
        label: 'Send a link to choose a password',
        mails: true,
        confirm: 'Send this user a mail with a link to choose a password?',
        groups: ['base.group_erp_manager'],
      },
    ],
  }),
];
