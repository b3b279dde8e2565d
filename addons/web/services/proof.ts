import { type Ctx, isRecent } from 'pergola';

/** Session key of the last time the user signed in or confirmed their password. */
const PROVED = 'auth.proved';
/** Validity in milliseconds. */
const FOR_MS = 10 * 60_000;

/** Path of the page that asks for the password again. */
export const CONFIRM = '/web/account/confirm';

/** Records that the user has just confirmed their identity. */
export function noteProof(ctx: Ctx): void {
  ctx.session.set(PROVED, ctx.now().getTime());
}

/**
 * Whether the session's user has confirmed their identity within the last minutes. An abandoned session isn't sufficient to change the
 * sign-in security of an account.
 */
export function isProved(ctx: Ctx): boolean {
  const provedAt = ctx.session.get(PROVED);
  return typeof provedAt === 'number' && isRecent(provedAt, FOR_MS, ctx.now());
}
