import type { Ctx } from './context.ts';
import { contextTools } from './context-tools.ts';

/** For what reads data whose changes nobody is told of: the page is then never kept. `reason` is for developers. */
export function neverKept(ctx: Ctx, reason: string): void {
  ctx.get(contextTools).tracker?.personal(reason);
}
