import type { IncomingMessage } from 'node:http';
import { domainToASCII } from 'node:url';
import type { Host } from '@pergola/core';
import { type Config, InvalidInput, loopbackName } from '@pergola/core';
import { type ClientAddresses, createClientAddresses } from './hosts-address.ts';

export type HostRules = Pick<Config, 'baseUrl' | 'allowedHosts' | 'trustedProxies' | 'production' | 'port'>;

/** Hosts served by this site, and visitors' addresses. */
export interface Hosts extends ClientAddresses {
  /** See `Guards.resolveHost`. */
  resolve(req: IncomingMessage, more: readonly string[]): Host | null;
}

type Scheme = 'http' | 'https';
/** Valid host header: a name, an IPv4 address, or an IPv6 address in brackets, followed by an optional port. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?)\.?(?::(\d{1,5}))?$/;
/** Number of host headers to remember; only loopback names with their many ports could exceed it. */
const remembered = 256;

/**
 * Creates the host check (C43). Allows the host of `BASE_URL`, `ALLOWED_HOSTS` (`example.org`, `example.org:8443`, `*.example.org`), names
 * from addons, and loopback names outside production.
 *
 * @throws InvalidInput naming the invalid entry of `TRUSTED_PROXIES` or `ALLOWED_HOSTS`.
 */
export function createHosts(rules: HostRules): Hosts {
  const addresses = createClientAddresses(rules.trustedProxies);
  const knownHosts = new KnownHosts(rules);
  let names: readonly string[] = [];
  let origins = new Map<string, Host>();

  return {
    ...addresses,
    resolve(req, more) {
      const requestedHost = hostInRequest(req, addresses);
      if (requestedHost === null) return null;
      if (more !== names) {
        names = more;
        origins = new Map();
      }
      const key = requestedHost.scheme === null ? requestedHost.text : `${requestedHost.scheme} ${requestedHost.text}`;
      const cachedHost = origins.get(key);
      if (cachedHost) return cachedHost;
      const host = knownHosts.find(requestedHost.text, requestedHost.scheme, more);
      if (host && origins.size < remembered) origins.set(key, host);
      return host;
    },
  };
}

/** Host named by the request, or null if it contradicts itself. */
function hostInRequest(
  req: IncomingMessage,
  addresses: ClientAddresses,
): { text: string; scheme: Scheme | null } | null {
  const text = onlyHostLine(req.rawHeaders);
  if (text === null) return null;
  const { url = '' } = req;
  // An absolute target names a host and takes precedence over the header, so both have to agree.
  if (url.charCodeAt(0) !== slash && url !== '*' && !sameAuthority(url, text)) return null;
  if (!addresses.believesForwarded(req)) return { text, scheme: isEncrypted(req) ? 'https' : null };
  const forwarded = firstOf(req.headers['x-forwarded-host']);
  const scheme = firstOf(req.headers['x-forwarded-proto'])?.toLowerCase();
  return { text: forwarded ?? text, scheme: scheme === 'https' || scheme === 'http' ? scheme : null };
}

/** The only Host line, or null if it is missing or repeated (Node would return the first one). */
function onlyHostLine(rawHeaders: readonly string[]): string | null {
  let hostLine: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (hostLine !== null) return null;
    hostLine = rawHeaders[index + 1] ?? null;
  }
  return hostLine;
}

function sameAuthority(target: string, hostHeader: string): boolean {
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  return authority !== undefined && authority.toLowerCase() === hostHeader.toLowerCase();
}

function isEncrypted(req: IncomingMessage): boolean {
  return 'encrypted' in req.socket && req.socket.encrypted === true;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',')[0]?.trim() || undefined;
}

const slash = 47;

/** Hosts from the configuration. */
class KnownHosts {
  readonly #rules: HostRules;
  readonly #base: { readonly name: string; readonly port: string; readonly scheme: Scheme };
  readonly #allowed: readonly { readonly name: string; readonly port: string | null }[];
  readonly #ports: ReadonlySet<string>;

  constructor(rules: HostRules) {
    const { hostname, port, protocol } = new URL(rules.baseUrl);
    this.#rules = rules;
    this.#base = { name: hostname, port, scheme: protocol === 'https:' ? 'https' : 'http' };
    this.#ports = new Set(['', '80', '443', port, String(rules.port)]);
    this.#allowed = rules.allowedHosts.map(parseAllowed);
  }

  find(text: string, scheme: Scheme | null, more: readonly string[]): Host | null {
    const [, name = '', port = ''] = hostPattern.exec(text.toLowerCase()) ?? [];
    if (name === '' || Number(port) > 65_535) return null;
    if (!this.#rules.production && loopbackName.test(name))
      return host(name, port, scheme ?? this.#schemeOf(name, port));
    if (name === this.#base.name && (port === '' || port === this.#base.port)) {
      return host(name, port || this.#base.port, scheme ?? this.#base.scheme);
    }
    if (!this.#isAllowed(name, port, more)) return null;
    // An untrusted proxy may be in front, so the scheme of BASE_URL is assumed.
    return host(name, port, scheme ?? this.#base.scheme);
  }

  #schemeOf(name: string, port: string): Scheme {
    return name === this.#base.name && port === this.#base.port ? this.#base.scheme : 'http';
  }

  #isAllowed(name: string, port: string, more: readonly string[]): boolean {
    if (this.#allowed.some((entry) => matches(entry.name, name) && entry.port === port)) return true;
    if (!this.#ports.has(port)) return false;
    if (name === this.#base.name || more.some((extraHost) => extraHost.toLowerCase() === name)) return true;
    return this.#allowed.some((entry) => entry.port === null && matches(entry.name, name));
  }
}

function host(name: string, port: string, scheme: Scheme): Host {
  const isDefault = port === '' || port === (scheme === 'https' ? '443' : '80');
  return Object.freeze({ name, origin: `${scheme}://${name}${isDefault ? '' : `:${port}`}` });
}

/** `*.example.org` matches every name below it, but not itself. */
function matches(pattern: string, name: string): boolean {
  return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) && name.length >= pattern.length : name === pattern;
}

function parseAllowed(entry: string): { name: string; port: string | null } {
  const wild = entry.startsWith('*.');
  const [, name = '', port = null] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(wild ? entry.slice(2) : entry) ?? [];
  const ascii = name.startsWith('[') ? name.toLowerCase() : domainToASCII(name);
  if (!hostPattern.test(ascii)) {
    throw new InvalidInput(
      `ALLOWED_HOSTS: “${entry}” is no host name. Write example.org, example.org:8443 or *.example.org.`,
      {
        code: 'core.bad_configuration',
      },
    );
  }
  return { name: wild ? `*.${ascii}` : ascii, port };
}
