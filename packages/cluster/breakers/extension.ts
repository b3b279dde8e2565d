import { type Ctx, contextTools, currentAccount, inAddon } from '@pergola/core';
import type { GuardedPart } from './breakers.ts';
import { attempt, partOff } from './faults.ts';
import { breakers as breakersKey } from './key.ts';

/**
 * Runs what an addon adds to another one's code. If it fails while reading, the code works without it; while writing, and where skipping
 * it could lift a restriction, the call is refused.
 *
 * @param skip runs the code without the addition; null if it must not be skipped
 */
export function guardExtension<T>(
  ctx: Ctx,
  part: GuardedPart,
  input: unknown,
  run: () => T,
  skip: (() => T) | null,
): T {
  const breakers = ctx.get(breakersKey);
  const call = { visitor: ctx.network, input };
  const without = ctx.writes ? null : skip;
  const whileOff = (): T => {
    if (!without) throw partOff(breakers.retryAt(part));
    breakers.note(ctx.get(contextTools).tracker, part);
    return without();
  };
  if (breakers.blocks(part, call)) return whileOff();
  return attempt(
    () => inAddon(part.addon, run),
    (error) => {
      if (!breakers.isChargeable(error)) throw error;
      if (without) {
        // It is only at fault if the code works without it.
        const rethrow = (): never => {
          throw error;
        };
        return attempt(without, rethrow, () => {
          const { addon, kind, name } = part;
          ctx.log.error({ err: error, addon, kind, name }, 'An addition to another app failed and was left out');
          currentAccount()?.failed(error);
          breakers.fail(part, call, error);
          breakers.note(ctx.get(contextTools).tracker, part);
        });
      }
      if (breakers.isFrom(part.addon, error) && breakers.fail(part, call, error)) return whileOff();
      throw error;
    },
    () => breakers.succeed(part, call),
  );
}
