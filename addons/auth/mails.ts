import { mail } from 'pergola';

/** Tells the owner of an account what was done with its keys. */
export const keyChangedMail = mail<{ name: string; what: string; path: string }>('auth.key_changed', {
  subject: 'The keys of your account were changed',
  template: 'auth.mail_key_changed',
});
