import { CONFIRM, completeSignIn, isProved, landing, pendingSignIn } from '@pergola/web';
import { type Ctx, type Id, identityOf, type Reply, redirect } from 'pergola';
import { endSessions } from 'pergola/http';
import { RecoveryCode } from '../models/auth-recovery-code.ts';
import { needsStep } from './second-step.ts';

/** A user who can currently change the keys of their account. */
export interface KeyHolder {
  readonly userId: Id;
  readonly login: string;
  /** Set if the user must set up a second factor before signing in, with the path to open afterwards. */
  readonly pending: { readonly redirect: string } | null;
}

/**
 * Returns the user whose keys this session can change: the signed-in user after a recent authentication, or a user in the middle of signing
 * in who still has to set up a required second factor. Never a user with a second factor that hasn't been verified.
 */
export async function keyHolder(ctx: Ctx): Promise<KeyHolder | null> {
  const signedIn = ctx.user.id;
  if (signedIn !== null && !isProved(ctx)) return null;
  const pending = signedIn === null ? await pendingSignIn(ctx) : null;
  const userId = signedIn ?? pending?.userId ?? null;
  if (userId === null || (pending && !(await needsStep(ctx, userId)))) return null;
  const identity = await identityOf(ctx, userId);
  if (!identity) return null;
  return { userId, login: identity.login ?? '', pending: pending && { redirect: pending.redirect } };
}

/** Redirects callers who aren't key holders to confirm their password, or to sign in. */
export function showFirst(ctx: Ctx, url: (path: string) => string, back: string): Reply {
  return redirect(
    ctx.user.id === null ? url('/web/login') : `${url(CONFIRM)}?redirect=${encodeURIComponent(url(back))}`,
  );
}

/**
 * Completes adding a second factor. The first one creates recovery codes, which are returned but not stored, and ends the user's other
 * sessions. Signs the user in if the sign-in was pending.
 */
export async function stepAdded(ctx: Ctx, holder: KeyHolder, isFirst: boolean): Promise<readonly string[]> {
  const { userId, pending } = holder;
  const codes = isFirst ? await ctx.sudo().model(RecoveryCode).renew(userId) : []; // Credentials are only accessible to the system.
  if (isFirst) await endSessions(ctx, userId, { exceptCurrent: true });
  if (pending) await completeSignIn(ctx, userId);
  else ctx.session.renew();
  return codes;
}

/** Returns the path a key holder continues to. */
export async function goesOn(ctx: Ctx, { userId, pending }: KeyHolder, url: (path: string) => string): Promise<string> {
  if (!pending) return url('/web/account/keys');
  const to = await landing(ctx, userId, pending.redirect);
  return pending.redirect === '' ? url(to) : to;
}
