import { type Ctx, type Id, identityOf, type Reply, redirect } from 'pergola';
import { endSessions } from 'pergola/http';
import { CONFIRM, completeSignIn, isProved, landing, pendingSignIn } from '#addons/web';
import { RecoveryCode } from '../models/auth-recovery-code.ts';
import { needsStep } from './second-step.ts';

/** Somebody who may change the keys of their account now. */
export interface KeyHolder {
  readonly userId: Id;
  readonly login: string;
  /** Whether they are led to a second step before they are signed in; then where they wanted to go. */
  readonly pending: { readonly redirect: string } | null;
}

/**
 * Whose keys may be changed by this session: those of its user when they have just shown who they are, or of somebody in the middle of signing in who must have a
 * second step and has none. Never of somebody who has one and did not show it yet.
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

/** Where somebody goes who is no key holder: to show who they are, or to sign in. */
export function showFirst(ctx: Ctx, url: (path: string) => string, back: string): Reply {
  return redirect(
    ctx.user.id === null ? url('/web/login') : `${url(CONFIRM)}?redirect=${encodeURIComponent(url(back))}`,
  );
}

/**
 * What follows once a second step was added. With the first one come recovery codes, which are answered and nowhere kept, and whoever was signed in without it
 * elsewhere is signed out. Whoever was only about to sign in now is.
 */
export async function stepAdded(ctx: Ctx, holder: KeyHolder, isFirst: boolean): Promise<readonly string[]> {
  const { userId, pending } = holder;
  const codes = isFirst ? await ctx.sudo().model(RecoveryCode).renew(userId) : []; // Nobody has rights on what opens an account.
  if (isFirst) await endSessions(ctx, userId, { exceptCurrent: true });
  if (pending) await completeSignIn(ctx, userId);
  else ctx.session.renew();
  return codes;
}

/** Where a key holder goes on afterwards. */
export async function goesOn(ctx: Ctx, { userId, pending }: KeyHolder, url: (path: string) => string): Promise<string> {
  if (!pending) return url('/web/account/keys');
  const to = await landing(ctx, userId, pending.redirect);
  return pending.redirect === '' ? url(to) : to;
}
