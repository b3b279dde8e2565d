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

/** Loads users from `res.users`, with the codes of their groups. Implied groups are resolved by the generation. */
export const identity: IdentityProvider = {
  async load(ctx: Ctx, userId: Id): Promise<Identity | null> {
    // The identity must be loaded before any permissions exist.
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
        // Cached pages and session renewals depend on the groups, so the rights granted by roles are included as a fingerprint.
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
