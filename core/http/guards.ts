import type { Config } from '../base/config.ts';
import { checkCsrf, checkSameOrigin, csrfToken } from './csrf.ts';
import { createHosts } from './hosts.ts';
import type { Guards } from './kernel-face.ts';
import { createSecurityHeaders, type SecurityHeadersOptions } from './security-headers.ts';

/**
 * Makes the checks at the door: which hosts, from where, sent from which site, and what headers every reply carries.
 *
 * @throws InvalidInput for a TRUSTED_PROXIES or ALLOWED_HOSTS that does not fit.
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
