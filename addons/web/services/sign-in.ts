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
import { AuditEntry, Passwords, plainLogin, User } from '#addons/base';

/** What somebody typed to sign in, and from where. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
  readonly address: string;
}

/**
 * The user whose login and password these are, or null. Counted against the limits first (given back when they are right), and as slow for a login
 * nobody has (C32, C33). An address is also tried as that of the last account that has not confirmed it, whether or not there are such: whoever signs up
 * with somebody else's must not learn that it is known by being refused later. Belongs before the transaction.
 *
 * @throws TooMany
 */
export async function checkCredentials(ctx: Ctx, { login, password, address }: Credentials): Promise<Id | null> {
  await takeSignIn(ctx, { account: login, address });
  const users = ctx.sudo().model(User); // Whoever signs in has no rights yet.
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
 * Keeps in the audit log that a password was wrong, for logins that nobody has too: noting takes time, which must tell nobody who has an account. What was
 * typed is not kept. Belongs before the transaction.
 */
export async function noteFailure(ctx: Ctx, userId: Id | null, address: string): Promise<void> {
  try {
    // Who tries from everywhere is not to fill the log.
    await takeRate(ctx, { name: 'web.noted_failures', key: '', calls: 1_000, seconds: 3_600, here: true });
    const note = {
      kind: 'sign_in_failed',
      res_model: 'res.users',
      res_id: userId ?? 0,
      address: networkOf(address),
    } as const;
    await writeBeside(ctx, (system) => system.model(AuditEntry).note([note]));
  } catch (error) {
    if (!(error instanceof TooMany)) ctx.log.warn({ err: error }, 'A wrong password could not be noted');
  }
}

/** Where the session keeps whose password was right while a step of signing in is missing. */
const PENDING = 'web.pending_sign_in';
/** How long they have for it. */
const PENDING_MS = 10 * 60_000;

const pendingShape = z.object({ user: z.number(), version: z.number(), at: z.number(), redirect: z.string() });

/** Somebody whose password was right and who is not signed in yet. */
export interface PendingSignIn {
  readonly userId: Id;
  /** Where they wanted to go. */
  readonly redirect: string;
}

/**
 * Signs a user in whose password (or link) was right, unless a step is missing: then the session remembers them for some minutes, and the answer is where they
 * go for it.
 */
export async function signIn(ctx: Ctx, userId: Id, wanted: string): Promise<string | null> {
  const users = ctx.sudo().model(User); // Whoever signs in has no rights yet.
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
    redirect: wanted === '' ? '' : safePath(wanted),
  };
  ctx.session.set(PENDING, pending);
  // Whoever knew the id of the session before must not be the one to take the next step.
  ctx.session.renew();
  return step;
}

/** Who is in the middle of signing in with this session; null when nobody is, or it took too long, or the password or the account changed meanwhile. */
export async function pendingSignIn(ctx: Ctx): Promise<PendingSignIn | null> {
  const pending = pendingShape.safeParse(ctx.session.get(PENDING)).data;
  if (!pending || !isRecent(pending.at, PENDING_MS, ctx.now())) return null;
  const users = ctx.sudo().model(User); // Whoever signs in has no rights yet.
  const known = await users.count([
    ['id', '=', pending.user],
    ['active', '=', true],
    ['credential_version', '=', pending.version],
  ]);
  return known > 0 ? { userId: pending.user, redirect: pending.redirect } : null;
}

/** Signs a user in with this session, under a new id, all steps taken. */
export async function completeSignIn(ctx: Ctx, userId: Id): Promise<void> {
  const users = ctx.sudo().model(User); // Whoever signs in has no rights yet.
  await users.write(userId, { login_date: ctx.now() });
  ctx.session.set(PENDING, undefined);
  ctx.session.signIn(userId);
  await users.signedIn(userId);
}

/** @throws Unauthenticated for a user of whom more is asked than a password: programs cannot give it */
export async function requirePasswordAlone(ctx: Ctx, userId: Id): Promise<void> {
  const users = ctx.sudo().model(User); // Whoever signs in has no rights yet.
  if ((await users.missingStep(userId)) === null) return;
  throw new Unauthenticated(
    'This account is protected by a second step, so its password alone is not enough. Use an access token in its place.',
    { code: 'web.second_step', title: 'Access denied' },
  );
}

/** Where to go after signing in: where one wanted to, else employees to the backend, everybody else home. */
export async function landing(ctx: Ctx, userId: Id, wanted: string): Promise<string> {
  if (wanted !== '') return safePath(wanted);
  const identity = await identityOf(ctx, userId);
  return identity?.groups.has('base.group_user') ? '/web' : '/';
}
