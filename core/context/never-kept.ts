import type { Ctx } from './context.ts';
import { contextTools } from './context-tools.ts';

/** Excludes a page from the cache because it reads data whose changes aren't tracked. `reason` is for developers. */
export function neverKept(ctx: Ctx, reason: string): void {
  ctx.get(contextTools).tracker?.personal(reason);
}
