import { type Ctx, type Id, identityOf } from 'pergola';
import { User } from '#addons/base';

/** Name of the site's only database, which clients of Odoo ask for. */
export const DATABASE = 'pergola';

/** What Odoo's clients ask about the server. Names and shapes are those of its version 8.0. */
export const versionInfo = Object.freeze({
  server_version: '8.0',
  server_version_info: Object.freeze([8, 0, 0, 'final', 0]),
  server_serie: '8.0',
  protocol_version: 1,
});

/**
 * Odoo's session info. `session_id` is empty: the session is in a cookie that no script may read.
 *
 * @param userId who is signed in; `nobody` is what `uid` says otherwise (null when asked, false after a sign-in that failed)
 */
export async function sessionInfo(ctx: Ctx, userId: Id | null, nobody: null | false): Promise<object> {
  const identity = userId === null ? null : await identityOf(ctx, userId);
  if (userId === null || !identity) {
    return { session_id: '', uid: nobody, user_context: {}, db: DATABASE, username: null, company_id: null };
  }
  // One's own company may be known, whatever one's rights on users.
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
