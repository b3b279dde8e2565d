import type { Ctx } from '../context.ts';
import { internals } from '../internals.ts';

/** A text of an addon in the context's language, as its own catalogue has it: the same word may mean something else in another addon. */
export function ownText(ctx: Ctx, addon: string, text: string): string {
  return internals(ctx).generation.catalogs.translate(ctx.lang, addon, text);
}
