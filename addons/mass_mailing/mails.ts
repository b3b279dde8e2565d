import { mail } from '#core';

/** Asks whoever owns an address whether they want to be on lists. */
export const confirmSubscription = mail<{ lists: string; path: string }>('mass_mailing.confirm', {
  subject: 'Please confirm that you want to get: {lists}',
  template: 'mass_mailing.confirm_mail',
});
