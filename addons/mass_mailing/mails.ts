import { mail } from 'pergola';

/** Asks whoever owns an address whether they want to be on lists. */
export const confirmSubscription = mail<{ lists: string; path: string }>('mass_mailing.confirm', {
  subject: 'Please confirm that you want to get: {lists}',
  template: 'mass_mailing.confirm_mail',
});

/** Tells the person responsible for a mailing that it was paused because mail servers reject the sender. */
export const mailingPaused = mail<{ name: string; answer: string; path: string }>('mass_mailing.paused', {
  subject: 'Mailing paused: {name}',
  template: 'mass_mailing.paused_mail',
  hourly: 20,
});
