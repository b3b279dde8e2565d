import { Conflict } from '../base/index.ts';
import type { Ctx } from '../context/index.ts';
import { type AddonManager, addonSwitches } from '../kernel/index.ts';

/**
 * Returns the addon manager, for switching addons from a screen. Never use it inside a write, since a switch has its own transactions: call
 * it in pages and in `prepare`.
 *
 * ```ts
 * prepare: async ({ ctx, params }) => { await addonManager(ctx).begin('enable', [params.name], { by: 'ada' }).ended; }
 * ```
 *
 * @throws Conflict inside a transaction.
 */
export function addonManager(ctx: Ctx): AddonManager {
  if (ctx.writes)
    throw new Conflict('Apps can’t be enabled or disabled inside a transaction.', {
      code: 'core.switch_in_transaction',
    });
  return ctx.get(addonSwitches);
}
