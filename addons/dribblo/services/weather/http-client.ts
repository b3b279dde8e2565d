import { lookup as resolve } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Maximum response size, in bytes. */
const LARGEST_ANSWER = 1024 * 1024;

/** The request failed, timed out, or returned an invalid response. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Fetches JSON from another host: follows no redirects, reads at most {@link LARGEST_ANSWER}, and aborts with `signal`. Connects to exactly
 * the address that was checked (C44): local and private addresses only with `inside`; link-local, unspecified and multicast addresses
 * never.
 *
 * @throws RequestFailure
 */
export function getJson(url: URL, { inside, signal }: { inside: boolean; signal: AbortSignal }): Promise<JsonAnswer> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host, inside))
    return Promise.reject(new RequestFailure('This address is not asked.'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return Promise.reject(new RequestFailure('Only web addresses are asked.'));
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((done, fail) => {
    const clientRequest = request(url, {
      signal,
      agent: false,
      lookup: checkedLookup(inside),
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      maxHeaderSize: 16_384,
    });
    clientRequest.on('error', (cause) => fail(new RequestFailure('The service cannot be reached.', { cause })));
    clientRequest.on('response', (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= LARGEST_ANSWER) return void chunks.push(chunk);
        fail(new RequestFailure('The answer is too large.'));
        clientRequest.destroy();
      });
      answer.on('error', (cause) => fail(new RequestFailure('The answer broke off.', { cause })));
      answer.on('end', () => {
        try {
          done({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown });
        } catch (cause) {
          fail(new RequestFailure('The answer is not JSON.', { cause }));
        }
      });
    });
    clientRequest.end();
  });
}

/** Whether connecting to an address is allowed. */
export function isAllowed(address: string, inside: boolean): boolean {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  const { unusable, private: local } = lists();
  return isIP(plain) !== 0 && !unusable.check(plain, family) && (inside || !local.check(plain, family));
}

function checkedLookup(inside: boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address, inside))) {
        return done(new RequestFailure('This address is not asked.'), '', 0);
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

function lists(): { unusable: BlockList; private: BlockList } {
  const unusable = new BlockList();
  for (const [net, bits] of [
    ['0.0.0.0', 8],
    ['169.254.0.0', 16],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const) {
    unusable.addSubnet(net, bits, 'ipv4');
  }
  for (const [net, bits] of [
    ['::', 128],
    ['fe80::', 10],
    ['ff00::', 8],
    ['64:ff9b::', 96],
    // Obsolete IPv4-in-IPv6 notations, and deprecated site-local addresses.
    ['::ffff:0:0:0', 96],
    ['2001::', 32],
    ['2002::', 16],
    ['fec0::', 10],
  ] as const) {
    unusable.addSubnet(net, bits, 'ipv6');
  }
  const local = new BlockList();
  const localSubnets = [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
  ];
  for (const [net = '', bits] of localSubnets.map((subnet) => subnet.split('/')))
    local.addSubnet(net, Number(bits), 'ipv4');
  local.addAddress('::1', 'ipv6');
  local.addSubnet('fc00::', 7, 'ipv6');
  return { unusable, private: local };
}
