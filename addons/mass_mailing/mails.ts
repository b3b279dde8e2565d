import { mail } from 'pergola';

/** Asks the owner of an address to confirm a subscription to lists. */
export const confirmSubscription = mail<{ lists: string; path: string }>('mass_mailing.confirm', {
  subject: 'Confirm your subscription: {lists}',
  template: 'mass_mailing.confirm_mail',
});

/** Notifies the person responsible for a mailing that it was paused because mail servers reject the sender. */
export const mailingPaused = mail<{ name: string; answer: string; path: string }>('mass_mailing.paused', {
  subject: 'Mailing paused: {name}',
  template: 'mass_mailing.paused_mail',
  hourly: 20,
});
