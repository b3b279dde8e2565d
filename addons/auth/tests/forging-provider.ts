import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

/** An ID token to hand out for a nonce. */
export type TokenMaker = (about: { issuer: string; nonce: string }) => Promise<string>;

/** A provider that hands out whatever ID token a test makes; it answers discovery and keys like a real one. */
export async function startForgingProvider() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  let makeToken: TokenMaker = async () => '';
  let nonce = '';
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    response.setHeader('content-type', 'application/json');
    if (pathname === '/.well-known/openid-configuration')
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      );
    else if (pathname === '/keys') response.end(JSON.stringify({ keys: [key] }));
    else if (pathname === '/token')
      response.end(
        JSON.stringify({
          access_token: 'x',
          token_type: 'Bearer',
          id_token: await makeToken({ issuer, nonce }),
        }),
      );
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    privateKey,
    /** The query a visitor comes back with from the address that the site sent them to. */
    answerTo(address: string, maker: TokenMaker): string {
      const asked = new URL(address).searchParams;
      makeToken = maker;
      nonce = asked.get('nonce') ?? '';
      return new URLSearchParams({ code: 'x', state: asked.get('state') ?? '' }).toString();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Claims of an ID token, right for the site unless a test says otherwise. */
export function claimsFor(
  { issuer, nonce }: { issuer: string; nonce: string },
  claims: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    sub: 'forged',
    aud: 'pergola',
    iat: now,
    exp: now + 300,
    nonce,
    email_verified: true,
    ...claims,
  };
}

/** A signed ID token. */
export function signed(claims: Record<string, unknown>, key: CryptoKey, kid = 'one'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
}

/** An ID token that says of itself that it needs no signature. */
export function unsigned(claims: Record<string, unknown>): string {
  return new UnsecuredJWT(claims).encode();
}
