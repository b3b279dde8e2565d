import { type Ctx, type Id, mail, TooMany } from '#core';
import { type LinkPurpose, makeToken, ownerOf } from './links.ts';

interface LinkValues {
  readonly name: string;
  readonly path: string;
}

export const resetMail = mail<LinkValues>('web.reset_password', {
  subject: 'Choose a new password',
  template: 'web.mail_reset',
});
export const inviteMail = mail<LinkValues>('web.invitation', {
  subject: 'Your account is waiting for you',
  template: 'web.mail_invite',
});
export const verifyMail = mail<LinkValues>('web.verify_email', {
  subject: 'Please confirm your e-mail address',
  template: 'web.mail_verify',
});
export const knownMail = mail<LinkValues>('web.known_account', {
  subject: 'You already have an account',
  template: 'web.mail_known',
});
export const passwordChangedMail = mail<LinkValues>('web.password_changed', {
  subject: 'Your password was changed',
  template: 'web.mail_password_changed',
});

export const changeMail = mail<LinkValues>('web.change_email', {
  subject: 'Please confirm your new e-mail address',
  template: 'web.mail_change',
});
export const addressChangeMail = mail<LinkValues>('web.address_change', {
  subject: 'Another e-mail address for your account',
  template: 'web.mail_address_change',
});
export const addressChangedMail = mail<LinkValues>('web.address_changed', {
  subject: 'The e-mail address of your account was changed',
  template: 'web.mail_address_changed',
});

const kinds = {
  reset: { definition: resetMail, path: '/web/reset_password' },
  invite: { definition: inviteMail, path: '/web/reset_password' },
  verify: { definition: verifyMail, path: '/web/verify_email' },
  change: { definition: changeMail, path: '/web/verify_email' },
} as const;

/**
 * Sends a user the mail with a signed link. Nothing happens for users without an address, and when the address has had enough mails of the kind: who
 * asked must not learn of it.
 */
export async function sendLink(ctx: Ctx, purpose: LinkPurpose, userId: Id): Promise<void> {
  const { definition, path } = kinds[purpose];
  const token = await makeToken(ctx, purpose, userId);
  await sendTo(ctx, userId, definition, `${path}/${token}`, purpose);
}

/** Sends a user one of the mails above, in their language: to the address that is surely theirs, unless it asks another one to confirm itself. */
export async function sendTo(
  ctx: Ctx,
  userId: Id,
  definition: typeof resetMail,
  path: string,
  purpose: LinkPurpose = 'reset',
): Promise<void> {
  const owner = await ownerOf(ctx, userId);
  const email = purpose === 'verify' ? owner?.email : purpose === 'change' ? owner?.pending : owner?.mailbox;
  if (!owner || !email) return;
  const { name, lang } = owner;
  try {
    await ctx.mail.send(definition, { to: { email, name, lang: lang ?? undefined }, values: { name, path } });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
}
