import { type Ctx, signText } from 'pergola';
import { isLoopback, isPrivateNetwork } from 'pergola/http';

/** Stands for the network a request comes from, without telling which it is; null where nobody asked. */
export function networkKey(ctx: Ctx): string | null {
  return ctx.network === null ? null : signText(ctx.config.sessionSecret, 'sale.network', ctx.network);
}

/**
 * The same for a new cart; null if the network may stand for all visitors of the site. Behind a trusted proxy only this machine does: addresses of a local
 * network are then those of visitors.
 */
export function cartNetwork(ctx: Ctx): string | null {
  const { network, config } = ctx;
  if (network === null) return null;
  const isShared = config.trustedProxies.length > 0 ? isLoopback(network) : isPrivateNetwork(network);
  return isShared ? null : networkKey(ctx);
}
