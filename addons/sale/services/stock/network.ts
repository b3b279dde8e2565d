import { type Ctx, signText } from 'pergola';
import { isLoopback, isPrivateNetwork } from 'pergola/http';

/** Returns an anonymous key for the network of a request, or null outside of requests. */
export function networkKey(ctx: Ctx): string | null {
  return ctx.network === null ? null : signText(ctx.config.sessionSecret, 'sale.network', ctx.network);
}

/**
 * The same for a new cart; null if the network may be shared by all visitors of the site. Behind a trusted proxy, only loopback addresses
 * are shared, since local network addresses belong to visitors then.
 */
export function cartNetwork(ctx: Ctx): string | null {
  const { network, config } = ctx;
  if (network === null) return null;
  const isShared = config.trustedProxies.length > 0 ? isLoopback(network) : isPrivateNetwork(network);
  return isShared ? null : networkKey(ctx);
}
