import { type Ctx, mail } from 'pergola';

interface LinkValues {
  readonly name: string;
  readonly path: string;
}

/** Sample values, with the current user as recipient. */
const sample = async ({ user }: Ctx): Promise<LinkValues> => ({ name: user.name, path: '/web/account' });

export const resetMail = mail<LinkValues>('web.reset_password', {
  subject: 'Choose a new password',
  template: 'web.mail_reset',
  sample,
});
export const inviteMail = mail<LinkValues>('web.invitation', {
  subject: 'Your account is ready',
  template: 'web.mail_invite',
  sample,
});
export const verifyMail = mail<LinkValues>('web.verify_email', {
  subject: 'Confirm your email address',
  template: 'web.mail_verify',
  sample,
});
export const knownMail = mail<LinkValues>('web.known_account', {
  subject: 'You already have an account',
  template: 'web.mail_known',
  sample,
});
export const passwordChangedMail = mail<LinkValues>('web.password_changed', {
  subject: 'Your password was changed',
  template: 'web.mail_password_changed',
  sample,
});

export const changeMail = mail<LinkValues>('web.change_email', {
  subject: 'Confirm your new email address',
  template: 'web.mail_change',
  sample,
});
export const addressChangeMail = mail<LinkValues>('web.address_change', {
  subject: 'Your account’s email address is about to change',
  template: 'web.mail_address_change',
  sample,
});
export const addressChangedMail = mail<LinkValues>('web.address_changed', {
  subject: 'Your account’s email address was changed',
  template: 'web.mail_address_changed',
  sample,
});

/** Email and path of the link for each purpose. */
export const linkMails = {
  reset: { definition: resetMail, path: '/web/reset_password' },
  invite: { definition: inviteMail, path: '/web/reset_password' },
  verify: { definition: verifyMail, path: '/web/verify_email' },
  change: { definition: changeMail, path: '/web/verify_email' },
} as const;
