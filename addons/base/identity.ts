import { createHash } from 'node:crypto';
import type { Ctx, Id, Identity } from 'pergola';
import type { IdentityProvider } from 'pergola/http';
import { scopeOfRights } from 'pergola/orm';
import { User } from './models/user.ts';

const anonymous: Identity = Object.freeze({
  id: null,
  partnerId: null,
  name: 'Visitor',
  login: null,
  groups: new Set(['base.group_public']),
  lang: null,
  timezone: null,
});

function fingerprint(roles: readonly { readonly rights: unknown }[]): string {
  const text = JSON.stringify(roles.map(({ rights }) => rights));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Users are records of `res.users`; their groups are the records' codes. What those imply is the generation's matter. */
export const identity: IdentityProvider = {
  async load(ctx: Ctx, userId: Id): Promise<Identity | null> {
    // Who somebody is has to be known before they have any rights.
    const user = await ctx
      .sudo()
      .model(User)
      .first(
        [
          ['id', '=', userId],
          ['active', '=', true],
        ],
        {
          select: {
            login: true,
            wanted_login: true,
            lang: true,
            tz: true,
            partner_id: { name: true, lang: true, tz: true },
            group_ids: { code: true, is_role: true, rights: true, implied_ids: { code: true } },
          },
        },
      );
    if (!user) return null;
    const roles = user.group_ids.filter(({ is_role }) => is_role);
    const grants = scopeOfRights(...roles.map(({ rights }) => rights ?? {}));
    return {
      id: user.id,
      partnerId: user.partner_id?.id ?? null,
      name: user.partner_id?.name ?? user.login,
      login: user.wanted_login ?? user.login,
      groups: new Set([
        ...user.group_ids.map(({ code }) => code),
        ...roles.flatMap(({ implied_ids }) => implied_ids.map(({ code }) => code)),
        // Pages are kept for everybody in the same groups, and sessions renewed with them: what a role grants counts too.
        ...(grants.size > 0 ? [`rights.${fingerprint(roles)}`] : []),
      ]),
      grants,
      lang: user.lang ?? user.partner_id?.lang ?? null,
      timezone: user.tz ?? user.partner_id?.tz ?? null,
    };
  },
  async anonymous(): Promise<Identity> {
    return anonymous;
  },
};
