import { User } from '@pergola/base';
import { type Ctx, type Id, identityOf } from 'pergola';

/** Name of the site's only database, requested by Odoo's clients. */
export const DATABASE = 'pergola';

/** Server version as requested by Odoo's clients, in the names and formats of version 8.0. */
export const versionInfo = Object.freeze({
  server_version: '8.0',
  server_version_info: Object.freeze([8, 0, 0, 'final', 0]),
  server_serie: '8.0',
  protocol_version: 1,
});

/**
 * Returns Odoo's session info. `session_id` is empty, because the session is in a cookie inaccessible to scripts.
 *
 * @param userId signed-in user; otherwise `anonymousUid` becomes the `uid` (null in a query, false after a failed sign-in)
 */
export async function sessionInfo(ctx: Ctx, userId: Id | null, anonymousUid: null | false): Promise<object> {
  const identity = userId === null ? null : await identityOf(ctx, userId);
  if (userId === null || !identity) {
    return { session_id: '', uid: anonymousUid, user_context: {}, db: DATABASE, username: null, company_id: null };
  }
  // Users may see their own company, regardless of their rights on users.
  const user = await ctx
    .sudo()
    .model(User)
    .get(userId, { select: { company_id: true } });
  return {
    session_id: '',
    uid: userId,
    user_context: { lang: identity.lang ?? ctx.lang, tz: identity.timezone ?? false, uid: userId },
    db: DATABASE,
    username: identity.login,
    company_id: user.company_id ?? false,
  };
}
