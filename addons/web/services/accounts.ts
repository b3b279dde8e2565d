import { randomBytes } from 'node:crypto';
import { type Ctx, type Id, InvalidInput } from 'pergola';
import { checkPassword, Partner, Passwords, plainLogin, siteNames, User } from '#addons/base';
import { sendVerification } from '../jobs/send-verification.ts';
import { passwordChangedMail } from '../mails.ts';
import { WebUser } from '../models/res-users.ts';
import { checkCredentials } from './sign-in.ts';

/** Somebody who wants an account. */
export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly lang: string;
}

/**
 * Makes an account, always as a customer, and answers its id. The address becomes its login once a link that goes there by mail was opened. So it is also with
 * an address that has an account already, whose owner gets a mail that says so: nobody learns from outside who has one (C33).
 */
export async function register(ctx: Ctx, { name, email, passwordHash, lang }: Registration): Promise<Id> {
  // Visitors have no rights on users; this is the one way for them to make one.
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
 * The hash of a new password that was typed twice, and is nothing that everybody knows of its owner.
 *
 * @throws InvalidInput beside `password` or `confirm`.
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
  const message = 'The two passwords differ.';
  throw new InvalidInput(message, { code: 'web.passwords_differ', fields: { confirm: message } });
}

/**
 * The hash of a user's own new password, once they have shown that they know the old one. Belongs before the transaction.
 *
 * @throws InvalidInput beside `old_password`, `password` or `confirm`; TooMany
 */
export async function changedPasswordHash(
  ctx: Ctx,
  typed: { readonly old: string; readonly password: string; readonly confirm: string; readonly address: string },
): Promise<string> {
  const { old, password, confirm, address } = typed;
  await checkNew(ctx, password, confirm, [ctx.user.login, ctx.user.name]);
  await requireOwnPassword(ctx, { password: old, address, field: 'old_password' });
  return ctx.get(Passwords).hash(password);
}

/**
 * Makes sure that whoever holds the session is the user: they have just typed their password. Belongs before the transaction.
 *
 * @throws InvalidInput beside the field; TooMany
 */
export async function requireOwnPassword(
  ctx: Ctx,
  typed: { readonly password: string; readonly address: string; readonly field: string },
): Promise<void> {
  const { password, address, field } = typed;
  const { login } = await ctx
    .sudo() // One's own: an address that is not confirmed is not the login yet.
    .model(User)
    .get(ctx.user.id ?? 0, { select: { login: true } });
  if ((await checkCredentials(ctx, { login, password, address })) === ctx.user.id) return;
  const message = 'This is not your current password.';
  throw new InvalidInput(message, { code: 'web.wrong_password', fields: { [field]: message } });
}

/** Keeps the user's own new password: other sessions end, this one gets a new id, and a mail says so. */
export async function keepPassword(ctx: Ctx, userId: Id, hash: string): Promise<void> {
  // A user has no right to write users; this is their own.
  await ctx.sudo().model(User).setPasswordHash([userId], hash);
  ctx.session.renew();
  await ctx.model(WebUser).sendMail(userId, passwordChangedMail, '/web/reset_password');
}
