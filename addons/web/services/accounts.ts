import { randomUUID } from 'node:crypto';
import { Company, checkPassword, Partner, Passwords, plainLogin, User } from '#addons/base';
import { type Ctx, type Id, InvalidInput } from '#core';
import { knownMail, passwordChangedMail } from '../mails.ts';
import { WebUser } from '../models/res-users.ts';
import { checkCredentials } from './sign-in.ts';

/** Somebody who wants an account. */
export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly lang: string;
}

/** What undoes an account that was made only to take its time. */
class Undone extends Error {}

/**
 * Makes an account for an address, and mails a link that confirms it. An address that has one already gets a mail that says so, and takes as long:
 * nobody learns from outside who has an account (C33). Answers the new user, for the session alone.
 */
export async function register(ctx: Ctx, registration: Registration): Promise<Id | null> {
  const known = await accountOf(ctx, registration.email);
  let made: Id | null = null;
  try {
    await ctx.savepoint(async () => {
      made = await makeAccount(ctx, registration, known === null ? registration.email : `undone-${randomUUID()}`);
      if (known !== null) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  if (known !== null) await ctx.model(WebUser).sendMail(known, knownMail, '/web/reset_password');
  else if (made !== null) await ctx.model(WebUser).sendLink('verify', made);
  return known === null ? made : null;
}

async function makeAccount(ctx: Ctx, { name, email, passwordHash, lang }: Registration, login: string): Promise<Id> {
  // Visitors have no rights on users; this is the one way for them to make one, always as a customer.
  const system = ctx.sudo();
  return system.model(User).create({
    login,
    partner_id: await system.model(Partner).create({ name, email, lang }),
    group_ids: [await system.ref('base.group_portal')],
    company_id: await system.ref('base.main_company'),
    password_hash: passwordHash,
    lang,
  });
}

/** The user who signs in with an address, disabled ones too. */
async function accountOf(ctx: Ctx, email: string): Promise<Id | null> {
  const [id] = await ctx
    .sudo()
    .model(User)
    .search([
      ['login', '=', plainLogin(email)],
      ['active', 'in', [true, false]],
    ]);
  return id ?? null;
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
  const companies = await ctx.model(Company).find([], { select: { name: true }, limit: 100 });
  checkPassword(password, [...owner, new URL(ctx.config.baseUrl).hostname, ...companies.map(({ name }) => name)]);
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
  if ((await checkCredentials(ctx, { login: ctx.user.login ?? '', password, address })) === ctx.user.id) return;
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
