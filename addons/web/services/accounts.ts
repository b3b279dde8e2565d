import { randomBytes } from 'node:crypto';
import { checkPassword, Partner, Passwords, plainLogin, siteNames, User } from '@pergola/base';
import { type Ctx, type Id, InvalidInput } from 'pergola';
import { sendVerification } from '../jobs/send-verification.ts';
import { passwordChangedMail } from '../mails.ts';
import { WebUser } from '../models/res-users.ts';
import { checkCredentials } from './sign-in.ts';

/** Data of a new account. */
export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly lang: string;
}

/**
 * Creates a customer account and returns its id. Its address becomes the login once the link sent by email has been opened. The same
 * happens for an address that already has an account, whose owner gets a notice instead, so that outsiders can't find out who has an
 * account (C33).
 */
export async function register(ctx: Ctx, { name, email, passwordHash, lang }: Registration): Promise<Id> {
  // Visitors may not write users; registration is the only exception.
  const system = ctx.sudo();
  const id = await system.model(User).create({
    login: `${email.slice(0, 220)}/unconfirmed-${randomBytes(6).toString('hex')}`,
    wanted_login: plainLogin(email),
    partner_id: await system.model(Partner).create({ name, email, lang }),
    group_ids: [await system.ref('base.group_portal')],
    company_id: await system.ref('base.main_company'),
    password_hash: passwordHash,
    lang,
  });
  await ctx.jobs.enqueue(sendVerification, { user: id });
  return id;
}

/**
 * Returns the hash of a new password. It must be entered twice and must not be easy to guess from public data about its owner.
 *
 * @throws InvalidInput for `password` or `confirm`
 */
export async function newPasswordHash(
  ctx: Ctx,
  { password, confirm }: { readonly password: string; readonly confirm: string },
  ...owner: readonly (string | null)[]
): Promise<string> {
  await checkNew(ctx, password, confirm, owner);
  return ctx.get(Passwords).hash(password);
}

async function checkNew(ctx: Ctx, password: string, confirm: string, owner: readonly (string | null)[]): Promise<void> {
  checkPassword(password, [...owner, ...(await siteNames(ctx))]);
  if (password === confirm) return;
  const message = 'The passwords don’t match.';
  throw new InvalidInput(message, { code: 'web.passwords_differ', fields: { confirm: message } });
}

/**
 * Returns the hash of a user's new password after checking the current one. Call it before the transaction.
 *
 * @throws InvalidInput for `old_password`, `password` or `confirm`; TooMany
 */
export async function changedPasswordHash(
  ctx: Ctx,
  input: { readonly old: string; readonly password: string; readonly confirm: string; readonly address: string },
): Promise<string> {
  const { old, password, confirm, address } = input;
  await checkNew(ctx, password, confirm, [ctx.user.login, ctx.user.name]);
  await requireOwnPassword(ctx, { password: old, address, field: 'old_password' });
  return ctx.get(Passwords).hash(password);
}

/**
 * Checks the password that the user has just entered, to confirm that the session is in the hands of its owner. Call it before the
 * transaction.
 *
 * @throws InvalidInput for the field; TooMany
 */
export async function requireOwnPassword(
  ctx: Ctx,
  input: { readonly password: string; readonly address: string; readonly field: string },
): Promise<void> {
  const { password, address, field } = input;
  const { login } = await ctx
    .sudo() // Reads the user's own login, which differs from the address until that is confirmed.
    .model(User)
    .get(ctx.user.id ?? 0, { select: { login: true } });
  if ((await checkCredentials(ctx, { login, password, address })) === ctx.user.id) return;
  const message = 'Your current password is incorrect.';
  throw new InvalidInput(message, { code: 'web.wrong_password', fields: { [field]: message } });
}

/** Stores the user's new password: ends other sessions, renews the id of this one, and sends a notice by email. */
export async function keepPassword(ctx: Ctx, userId: Id, hash: string): Promise<void> {
  // Users may not write users, but this is their own account.
  await ctx.sudo().model(User).setPasswordHash([userId], hash);
  ctx.session.renew();
  await ctx.model(WebUser).sendMail(userId, passwordChangedMail, '/web/reset_password');
}
