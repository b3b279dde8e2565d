import type { IncomingMessage } from 'node:http';
import type { Config, Generation, Host } from '@pergola/core';
import type { RequestSession } from '../sessions/session.ts';
import { type CrossSiteQuestion, checkCsrf, checkSameOrigin, csrfToken } from './csrf.ts';
import { createHosts } from './hosts.ts';
import { createSecurityHeaders, type SecurityHeadersOptions } from './security-headers.ts';

export interface Guards {
  /**
   * The host a request is for, or null for an unknown host, duplicate Host lines, or an absolute target of another site. `more` are names
   * served in addition to the configured ones. Forwarded headers count only from trusted proxies.
   */
  resolveHost(req: IncomingMessage, more: readonly string[]): Host | null;
  /** The visitor's address; forwarded headers count only from trusted proxies. */
  clientAddress(req: IncomingMessage): string;
  /** Whether the peer itself (not a client it forwards) is this machine or a trusted proxy. */
  isTrustedPeer(req: IncomingMessage): boolean;
  /**
   * Throws NotAllowed if `Origin` or `Sec-Fetch-Site` name another site. `required`: at least one of them must be present (forms without a
   * session, beacons); `if-present`: both may be missing, since browsers always send one (calls with a JSON content type).
   */
  checkSameOrigin(question: CrossSiteQuestion, proof: 'required' | 'if-present'): void;
  /** Throws NotAllowed unless a form comes from our pages: with a session by its token, without one by a same-origin proof. */
  checkCsrf(question: CrossSiteQuestion, session: RequestSession, token: string | null): void;
  /** Token that `{{csrf}}` adds to forms; empty for visitors without a session. */
  csrfToken(session: RequestSession): string;
  /**
   * Headers of every reply of a kind, CSP included. `page`: our HTML; `data`: JSON and plain text; `file`: uploaded content; `asset`:
   * scripts, styles, fonts and images of addons.
   */
  securityHeaders(
    kind: 'page' | 'data' | 'file' | 'asset',
    generation: Generation | null,
  ): Readonly<Record<string, string>>;
}

/**
 * Creates the request guards: allowed hosts, visitor addresses, cross-site checks, and the headers of every reply.
 *
 * @throws InvalidInput for an invalid TRUSTED_PROXIES or ALLOWED_HOSTS.
 */
export function createGuards(config: Config, inlineScripts: SecurityHeadersOptions['inlineScripts']): Guards {
  const hosts = createHosts(config);
  return {
    resolveHost: hosts.resolve,
    clientAddress: hosts.clientAddress,
    isTrustedPeer: hosts.isTrustedPeer,
    checkSameOrigin,
    checkCsrf,
    csrfToken,
    securityHeaders: createSecurityHeaders({ https: config.baseUrl.startsWith('https:'), inlineScripts }),
  };
}
