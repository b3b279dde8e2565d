import { mail } from 'pergola';

/** Notifies the owner of an account about a change of their keys. */
export const keyChangedMail = mail<{ name: string; what: string; path: string }>('auth.key_changed', {
  subject: 'Your account’s sign-in security was changed',
  template: 'auth.mail_key_changed',
});
