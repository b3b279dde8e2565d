import { Conflict } from '../base/index.ts';
import { type Ctx, internals } from '../context/index.ts';
import type { AddonManager } from '../kernel/index.ts';

/**
 * Where addons are switched from a screen. Never inside a write, since a switch has its own transactions: use it in pages and in `prepare`.
 *
 * ```ts
 * prepare: async ({ ctx, params }) => { await addonManager(ctx).begin('enable', [params.name], { by: 'ada' }).ended; }
 * ```
 *
 * @throws Conflict where something is being written.
 */
export function addonManager(ctx: Ctx): AddonManager {
  const inside = internals(ctx);
  if (inside.transaction)
    throw new Conflict('Addons cannot be switched inside a transaction.', { code: 'core.switch_in_transaction' });
  if (!inside.addonManager) throw new Error('This application has no addon manager.');
  return inside.addonManager();
}
