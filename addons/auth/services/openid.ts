import type { Configuration } from 'openid-client';
import { type Ctx, type Id, InvalidInput, isRecent, z } from 'pergola';
import type { ProviderAccount } from '../models/auth-identity.ts';
import { SignInProvider } from '../models/auth-provider.ts';

/** Session key of the pending request to a provider. */
const ASKED = 'auth.openid';
const FOR_MS = 10 * 60_000;
const SECONDS = 10;

const askedShape = z.object({
  provider: z.number(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirect: z.string(),
  at: z.number(),
});

/** Redirect URI, to be registered with each provider. */
export const CALLBACK = '/web/login/with/callback';

type Provider = NonNullable<Awaited<ReturnType<SignInProvider['known']>>>;

async function configure(ctx: Ctx, { issuer, clientId, secret }: Provider): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client');
  const address = new URL(issuer);
  // Allows providers without HTTPS during development; otherwise, `SignInProvider.validate` requires it.
  const insecure = address.protocol === 'http:' && !ctx.config.production ? [allowInsecureRequests] : [];
  // Without these checks, the library relies on TLS and accepts ID tokens with missing or invalid signatures.
  const execute = [...insecure, enableNonRepudiationChecks];
  return discovery(address, clientId, secret === '' ? undefined : secret, undefined, { execute, timeout: SECONDS });
}

/**
 * Returns the authorisation URL of a provider, and stores the request in the session. Uses the network, so it belongs before the
 * transaction.
 */
export async function askProvider(ctx: Ctx, id: Id, origin: string, redirect: string): Promise<URL | null> {
  const provider = await ctx.sudo().model(SignInProvider).known(id); // Visitors have no access to providers.
  if (!provider) return null;
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
    await import('openid-client');
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const address = buildAuthorizationUrl(await configure(ctx, provider), {
    redirect_uri: origin + CALLBACK,
    scope: 'openid email profile',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const pendingRequest: z.infer<typeof askedShape> = {
    provider: id,
    state,
    nonce,
    verifier,
    redirect,
    at: ctx.now().getTime(),
  };
  ctx.session.set(ASKED, pendingRequest);
  return address;
}

/** Verified account with a provider, and the path to open after signing in. */
export interface ProviderAnswer extends ProviderAccount {
  readonly redirect: string;
}

/**
 * Exchanges the query of the callback for the account asserted by the provider. Verifies that the response belongs to this session (state,
 * nonce, PKCE), and that the ID token is signed by the provider, issued for this site and not expired. Returns null if any check fails.
 * Uses the network, so it belongs before the transaction.
 */
export async function answerOfProvider(ctx: Ctx, origin: string, query: string): Promise<ProviderAnswer | null> {
  const pendingRequest = askedShape.safeParse(ctx.session.get(ASKED)).data;
  if (!pendingRequest || !isRecent(pendingRequest.at, FOR_MS, ctx.now())) return null;
  const provider = await ctx.sudo().model(SignInProvider).known(pendingRequest.provider); // Visitors have no access to providers.
  if (!provider) return null;
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
  try {
    const config = await configure(ctx, provider);
    const tokens = await authorizationCodeGrant(config, new URL(`${origin}${CALLBACK}?${query}`), {
      pkceCodeVerifier: pendingRequest.verifier,
      expectedState: pendingRequest.state,
      expectedNonce: pendingRequest.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) return null;
    const { iss: issuer, sub: subject } = claims;
    // Some providers include the address in the ID token, others only in the user info.
    const { email, email_verified: confirmed } =
      claims.email === undefined ? await fetchUserInfo(config, tokens.access_token, subject) : claims;
    const address = typeof email === 'string' ? email : null;
    return {
      provider: pendingRequest.provider,
      issuer,
      subject,
      email: address,
      confirmed: confirmed === true,
      redirect: pendingRequest.redirect,
    };
  } catch (error) {
    ctx.log.warn({ err: error, provider: pendingRequest.provider }, 'The response of a sign-in provider is invalid');
    return null;
  }
}

/** Discards the pending request. */
export function forgetAsked(ctx: Ctx): void {
  ctx.session.set(ASKED, undefined);
}

/** Error if a provider didn't sign the user in. */
export function nobodyHere(): InvalidInput {
  return new InvalidInput(
    'Couldn’t sign you in. Either it took too long, or no account here has the email address confirmed by your provider. Sign in with your password and confirm your email address under “My account” first.',
    { code: 'auth.nobody_here' },
  );
}
