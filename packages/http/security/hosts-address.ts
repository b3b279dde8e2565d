import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';
import { InvalidInput } from '@pergola/core';
import proxyAddr from 'proxy-addr';

/** Origin addresses of requests. */
export interface ClientAddresses {
  /** See `Guards.clientAddress`. */
  clientAddress(req: IncomingMessage): string;
  /** See `Guards.isTrustedPeer`. */
  isTrustedPeer(req: IncomingMessage): boolean;
  /** Whether the peer's X-Forwarded-* headers count, as they do for named proxies only. */
  believesForwarded(req: IncomingMessage): boolean;
}

/**
 * Reads visitors' addresses. `proxies` are addresses, networks (`10.0.0.0/8`) or `loopback`, `linklocal`, `uniquelocal`.
 *
 * @throws InvalidInput for any other entry.
 */
export function createClientAddresses(proxies: readonly string[]): ClientAddresses {
  const trusts = compile(proxies);
  const peer = (req: IncomingMessage): string => req.socket.remoteAddress ?? '';
  const believesForwarded = (req: IncomingMessage): boolean => proxies.length > 0 && trusts(peer(req), 0);
  return {
    believesForwarded,
    clientAddress(req) {
      if (!believesForwarded(req)) return bare(peer(req));
      const address = proxyAddr(req, trusts);
      return bare(isIP(address) ? address : peer(req));
    },
    isTrustedPeer: (req) => isLoopback(bare(peer(req))) || believesForwarded(req),
  };
}

/** Network that identifies a visitor: the address itself for IPv4, the first 64 bits for IPv6, since each IPv6 user has 2^64 addresses. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - front.length - back.length - (back.at(-1)?.includes('.') ? 1 : 0);
  const groups = [...front, ...Array<string>(Math.max(0, gap)).fill('0'), ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Private ranges in the form of visitor networks, with a whole network for IPv6. */
const privateNetworks = compile(['loopback', 'linklocal', 'uniquelocal', '::/64']);

/**
 * Whether a network (`networkOf`) is private. Behind a proxy that isn't trusted (`TRUSTED_PROXIES`), all visitors seem to come from the
 * same private network, so it doesn't distinguish them.
 */
export function isPrivateNetwork(network: string): boolean {
  return privateNetworks(network.split('/')[0] ?? '', 0);
}

function compile(proxies: readonly string[]): (address: string, hops: number) => boolean {
  try {
    return proxyAddr.compile([...proxies]);
  } catch (error) {
    throw new InvalidInput(
      `TRUSTED_PROXIES: ${error instanceof Error ? error.message : error}. Write addresses, networks such as 10.0.0.0/8, or loopback.`,
      { code: 'core.bad_configuration', cause: error },
    );
  }
}

/** An IPv6 address in its shortest spelling; an IPv4 address in IPv6 notation (`::ffff:7f00:1`) becomes IPv4. */
function bare(address: string): string {
  if (isIP(address) !== 6) return address;
  const [plain = ''] = address.split('%');
  const { address: canonical } = new SocketAddress({ address: plain, family: 'ipv6' });
  return canonical.startsWith('::ffff:') && isIP(canonical.slice(7)) === 4 ? canonical.slice(7) : canonical;
}

/** Whether an address or network (`networkOf`) is this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address === '0:0:0:0::/64' || address.startsWith('127.');
}
