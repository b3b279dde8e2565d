import { type Ctx, signText } from '#core';
import { isPrivateNetwork } from '#core/http';

/** Stands for the network a request comes from, without telling which it is; null where nobody asked. */
export function networkKey(ctx: Ctx): string | null {
  return ctx.network === null ? null : signText(ctx.config.sessionSecret, 'sale.network', ctx.network);
}

/** The same for a cart that is begun; null where the network may stand for all visitors of the site. */
export function cartNetwork(ctx: Ctx): string | null {
  return ctx.network === null || isPrivateNetwork(ctx.network) ? null : networkKey(ctx);
}
