import { mail } from '#core';

/** Asks whoever owns an address whether they want to be on a list. */
export const confirmSubscription = mail<{ list: string; path: string }>('mass_mailing.confirm', {
  subject: 'Please confirm that you want to get “{list}”',
  template: 'mass_mailing.confirm_mail',
});
