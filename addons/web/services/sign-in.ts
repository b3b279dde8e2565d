import { AuditEntry, Passwords, plainLogin, User } from '@pergola/base';
import {
  type Ctx,
  type Id,
  identityOf,
  isEmailAddress,
  isRecent,
  safePath,
  TooMany,
  Unauthenticated,
  z,
} from 'pergola';
import { giveBackSignIn, networkOf, takeRate, takeSignIn, writeBeside } from 'pergola/http';

/** Sign-in input and client address. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
  readonly address: string;
}

/**
 * Returns the user with this login and password, or null. Counts against the rate limits first (returned on success) and takes as long for
 * unknown logins (C32, C33). An address is also checked against the last account that has yet to confirm it; the check takes the same time
 * without such an account. A visitor signing up with someone else's address must not learn from a later refusal that it is known. Call it
 * before the transaction.
 *
 * @throws TooMany
 */
export async function checkCredentials(ctx: Ctx, { login, password, address }: Credentials): Promise<Id | null> {
  await takeSignIn(ctx, { account: login, address });
  const users = ctx.sudo().model(User); // The visitor isn't signed in and has no rights yet.
  const passwords = ctx.get(Passwords);
  const user = await users.byLogin(login);
  let right: { readonly id: Id } | null = null;
  if (await passwords.verify(user?.password_hash ?? null, password)) right = user;
  else if (isEmailAddress(plainLogin(login))) {
    const waiting = await users.byWantedLogin(login);
    if (await passwords.verify(waiting?.password_hash ?? null, password)) right = waiting;
  }
  if (!right) {
    await noteFailure(ctx, user?.id ?? null, address);
    return null;
  }
  await giveBackSignIn(ctx, { account: login, address });
  return right.id;
}

/**
 * Records a wrong password in the audit log, even for unknown logins, because the time it takes must not reveal whether an account exists.
 * Doesn't store the input. Call it before the transaction.
 */
export async function noteFailure(ctx: Ctx, userId: Id | null, address: string): Promise<void> {
  try {
    // Attacks from many addresses must not fill the log.
    await takeRate(ctx, { name: 'web.noted_failures', key: '', calls: 1_000, seconds: 3_600, here: true });
    const note = {
      kind: 'sign_in_failed',
      res_model: 'res.users',
      res_id: userId ?? 0,
      address: networkOf(address),
    } as const;
    await writeBeside(ctx, (system) => system.model(AuditEntry).note([note]));
  } catch (error) {
    if (!(error instanceof TooMany)) ctx.log.warn({ err: error }, 'A failed sign-in could not be recorded');
  }
}

/** Session key of a user whose password was correct but who still has to complete a second step. */
const PENDING = 'web.pending_sign_in';
/** Time limit of that step, in milliseconds. */
const PENDING_MS = 10 * 60_000;

const pendingShape = z.object({ user: z.number(), version: z.number(), at: z.number(), redirect: z.string() });

/** A user whose password was correct but who isn't signed in yet. */
export interface PendingSignIn {
  readonly userId: Id;
  /** Address to continue to. */
  readonly redirect: string;
}

/**
 * Signs in a user whose password (or link) was correct, unless a step is missing. In that case, remembers the user in the session for some
 * minutes and returns the path of that step.
 */
export async function signIn(ctx: Ctx, userId: Id, target: string): Promise<string | null> {
  const users = ctx.sudo().model(User); // The visitor isn't signed in and has no rights yet.
  const step = await users.missingStep(userId);
  if (step === null) {
    await completeSignIn(ctx, userId);
    return null;
  }
  const { credential_version: version } = await users.get(userId, { select: { credential_version: true } });
  const pending: z.infer<typeof pendingShape> = {
    user: userId,
    version: version ?? 1,
    at: ctx.now().getTime(),
    redirect: target === '' ? '' : safePath(target),
  };
  ctx.session.set(PENDING, pending);
  // Renews the session id, so that no one who knew the old one can take the next step.
  ctx.session.renew();
  return step;
}

/**
 * Returns the user who is signing in with this session. Returns null without a pending sign-in, or if the time limit has passed, or the
 * password or account has changed.
 */
export async function pendingSignIn(ctx: Ctx): Promise<PendingSignIn | null> {
  const pending = pendingShape.safeParse(ctx.session.get(PENDING)).data;
  if (!pending || !isRecent(pending.at, PENDING_MS, ctx.now())) return null;
  const users = ctx.sudo().model(User); // The visitor isn't signed in and has no rights yet.
  const matchCount = await users.count([
    ['id', '=', pending.user],
    ['active', '=', true],
    ['credential_version', '=', pending.version],
  ]);
  return matchCount > 0 ? { userId: pending.user, redirect: pending.redirect } : null;
}

/** Signs in a user who has completed all steps, under a new session id. */
export async function completeSignIn(ctx: Ctx, userId: Id): Promise<void> {
  const users = ctx.sudo().model(User); // The visitor isn't signed in and has no rights yet.
  await users.write(userId, { login_date: ctx.now() });
  ctx.session.set(PENDING, undefined);
  ctx.session.signIn(userId);
  await users.signedIn(userId);
}

/**
 * Refuses users who need more than a password to sign in, which programs can't provide.
 *
 * @throws Unauthenticated
 */
export async function requirePasswordAlone(ctx: Ctx, userId: Id): Promise<void> {
  const users = ctx.sudo().model(User); // The visitor isn't signed in and has no rights yet.
  if ((await users.missingStep(userId)) === null) return;
  throw new Unauthenticated(
    'This account uses two-factor authentication. Use an access token instead of the password.',
    { code: 'web.second_step', title: 'Access denied' },
  );
}

/** Returns the address after signing in: the requested one, else the backend for employees and the home page for all others. */
export async function landing(ctx: Ctx, userId: Id, target: string): Promise<string> {
  if (target !== '') return safePath(target);
  const identity = await identityOf(ctx, userId);
  return identity?.groups.has('base.group_user') ? '/web' : '/';
}
