import { User } from '#addons/base';
import { type Ctx, type Id, mail, TooMany } from '#core';
import { type LinkPurpose, makeToken } from './links.ts';

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

const kinds = {
  reset: { definition: resetMail, path: '/web/reset_password' },
  invite: { definition: inviteMail, path: '/web/reset_password' },
  verify: { definition: verifyMail, path: '/web/verify_email' },
} as const;

/**
 * Sends a user the mail with a signed link. Nothing happens for users without an address, and when the address has had enough mails of the kind: who
 * asked must not learn of it.
 */
export async function sendLink(ctx: Ctx, purpose: LinkPurpose, userId: Id): Promise<void> {
  const { definition, path } = kinds[purpose];
  const token = await makeToken(ctx, purpose, userId);
  await sendTo(ctx, userId, definition, `${path}/${token}`);
}

/** Sends a user one of the mails above, in their language. */
export async function sendTo(ctx: Ctx, userId: Id, definition: typeof resetMail, path: string): Promise<void> {
  // Mail goes to whom it is about, whoever causes it.
  const user = await ctx
    .sudo()
    .model(User)
    .get(userId, { select: { login: true, lang: true, partner_id: { name: true, email: true, lang: true } } });
  const email = user.partner_id?.email;
  if (!email) return;
  const name = user.partner_id?.name ?? user.login;
  try {
    await ctx.mail.send(definition, {
      to: { email, name, lang: user.lang ?? user.partner_id?.lang ?? undefined },
      values: { name, path },
    });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
}
