import { isProved } from '@pergola/web';
import { type Ctx, z } from 'pergola';
import { Passkey } from '../models/auth-passkey.ts';
import { RecoveryCode } from '../models/auth-recovery-code.ts';
import { AccessToken } from '../models/auth-token.ts';
import { mustHaveStep, stepsOf } from '../services/second-step.ts';

/** Confirmation messages of the page. */
export const actionResult = z.enum(['revoked', 'app', 'app_removed', 'renamed', 'removed']);
export type ActionResult = z.infer<typeof actionResult>;

/** Page with the keys of the caller's account. */
export async function keysPage(ctx: Ctx, status: ActionResult | null) {
  const isStaff = ctx.has('base.group_user');
  const userId = ctx.user.id ?? 0;
  const tokens = isStaff
    ? await ctx.model(AccessToken).find([['user_id', '=', userId]], {
        select: { name: true, hint: true, covers: true, expires: true, last_use: true, last_address: true },
      })
    : [];
  const { totp, passkeys: count } = await stepsOf(ctx, userId);
  const system = ctx.sudo(); // Credentials are only accessible to the system; these belong to the caller.
  const passkeys = await system.model(Passkey).find([['user_id', '=', userId]], {
    select: { name: true, site: true, synced: true, last_use: true, create_date: true },
  });
  return {
    done: status,
    isStaff,
    totp,
    hasStep: totp || count > 0,
    mustHave: await mustHaveStep(ctx, userId),
    proved: isProved(ctx),
    codes: await system.model(RecoveryCode).count([['user_id', '=', userId]]),
    passkeys,
    tokens: tokens.map(({ expires, covers, ...token }) => ({
      ...token,
      expires,
      isOver: expires <= ctx.now(),
      covers: (covers ?? '').split('\n'),
    })),
  };
}
