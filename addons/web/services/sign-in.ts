import { Passwords, User } from '#addons/base';
import { type Ctx, type Id, identityOf, safePath } from '#core';
import { giveBackSignIn, takeSignIn } from '#core/http';

/** What somebody typed to sign in, and from where. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
  readonly address: string;
}

/**
 * The user whose login and password these are, or null. Counted against the limits first (given back when they are right), and as slow for a login
 * nobody has (C32, C33). Belongs before the transaction.
 *
 * @throws TooMany
 */
export async function checkCredentials(ctx: Ctx, { login, password, address }: Credentials): Promise<Id | null> {
  await takeSignIn(ctx, { account: login, address });
  // Whoever signs in has no rights yet.
  const user = await ctx.sudo().model(User).byLogin(login);
  const right = await ctx.get(Passwords).verify(user?.password_hash ?? null, password);
  if (!user || !right) return null;
  await giveBackSignIn(ctx, { account: login, address });
  return user.id;
}

/** Signs a user in with this session, under a new id. */
export async function signIn(ctx: Ctx, userId: Id): Promise<void> {
  const users = ctx.sudo().model(User); // Whoever signs in has no rights yet.
  await users.write(userId, { login_date: ctx.now() });
  ctx.session.set(HINT, undefined);
  ctx.session.signIn(userId);
  await users.signedIn(userId);
}

/** Where the session keeps what the sign-in page says to somebody who has just asked for an account. */
export const HINT = 'web.sign_in_hint';

/** Where to go after signing in: where one wanted to, else employees to the backend, everybody else home. */
export async function landing(ctx: Ctx, userId: Id, wanted: string): Promise<string> {
  if (wanted !== '') return safePath(wanted);
  const identity = await identityOf(ctx, userId);
  return identity?.groups.has('base.group_user') ? '/web' : '/';
}
