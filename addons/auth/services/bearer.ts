import type { Ctx, Identity } from 'pergola';
import { identityOf, isRecent } from 'pergola';
import { type BearerProvider, writeBeside } from 'pergola/http';
import { scopeOfRights } from 'pergola/orm';
import { AccessToken, isToken } from '../models/auth-token.ts';

/** Minimum interval between updates of a token's last use. */
const NOTED_EVERY_MS = 5 * 60_000;

/** Access tokens, used instead of a password or as `Authorization: Bearer`. */
export const bearer: BearerProvider = {
  isToken,
  async load(ctx: Ctx, token: string, address: string): Promise<Identity | null> {
    const accessToken = await ctx.model(AccessToken).owner(token);
    const identity = accessToken && (await identityOf(ctx, accessToken.userId));
    if (!identity) return null;
    const { id, lastUse, scope } = accessToken;
    if (lastUse === null || !isRecent(lastUse, NOTED_EVERY_MS, ctx.now())) {
      const note = writeBeside(ctx, (system) =>
        system.model(AccessToken).write(id, { last_use: system.now(), last_address: address }),
      );
      await note.catch((error: unknown) => ctx.log.warn({ err: error }, 'The use of a token could not be recorded'));
    }
    return { ...identity, scope: scopeOfRights(scope) };
  },
};
