import { type Ctx, isRecent } from 'pergola';

/** Where the session keeps when its user last showed that they are there: by signing in, or by their password. */
const PROVED = 'auth.proved';
/** How long that counts. */
const FOR_MS = 10 * 60_000;

/** Where somebody shows again who they are, before they go on. */
export const CONFIRM = '/web/account/confirm';

/** Notes that the user has just shown who they are. */
export function noteProof(ctx: Ctx): void {
  ctx.session.set(PROVED, ctx.now().getTime());
}

/**
 * Whether the session's user has shown within the last minutes who they are. A session that somebody left open is not enough to change the keys of an
 * account.
 */
export function isProved(ctx: Ctx): boolean {
  const proved = ctx.session.get(PROVED);
  return typeof proved === 'number' && isRecent(proved, FOR_MS, ctx.now());
}
