import { Company, User } from '@pergola/base';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type Ctx, type Id, type RequestView, signText, timingSafeEqualText } from 'pergola';
import { Challenge } from '../models/auth-challenge.ts';
import { Passkey } from '../models/auth-passkey.ts';

const MAX_PASSKEYS = 20;

/** Relying party ID of passkeys: the host used by the visitor, which was checked against the site's hosts. */
function siteOf(request: RequestView): string {
  return new URL(request.origin).hostname;
}

/** Opaque user handle for authenticators; reveals nothing about the user. */
function handleOf(ctx: Ctx, userId: Id): string {
  return signText(ctx.config.sessionSecret, 'auth.user_handle', String(userId));
}

/** Options for registering a passkey for this account. */
export async function registrationOptions(ctx: Ctx, request: RequestView, holder: { userId: Id; login: string }) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const { userId, login } = holder;
  const system = ctx.sudo(); // Credentials are only accessible to the system.
  const [company] = await ctx.model(Company).find([], { select: { name: true }, limit: 1 });
  const passkeys = await system.model(Passkey).find([['user_id', '=', userId]], { select: { credential: true } });
  return generateRegistrationOptions({
    rpName: company?.name ?? siteOf(request),
    rpID: siteOf(request),
    userName: login,
    userID: Buffer.from(handleOf(ctx, userId), 'base64url'),
    challenge: Buffer.from(await system.model(Challenge).begin('register', userId), 'base64url'),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential }) => ({ id: credential })),
    // Discoverable and with user verification, so it works without a login and counts as two factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Stores a passkey registered by the browser; returns false if the response is invalid. */
export async function keepPasskey(
  ctx: Ctx,
  request: RequestView,
  registration: { readonly userId: Id; readonly name: string; readonly response: RegistrationResponseJSON },
): Promise<boolean> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { userId, name, response } = registration;
  const system = ctx.sudo(); // Credentials are only accessible to the system.
  const expectedChallenge = await system.model(Challenge).take('register', userId);
  if (expectedChallenge === null) return false;
  const site = siteOf(request);
  const verification = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: request.origin,
    expectedRPID: site,
    requireUserVerification: true,
  }).catch((error: unknown) => logFailure(ctx, error));
  if (!verification?.verified) return false;
  const { credential, credentialBackedUp: synced } = verification.registrationInfo;
  const passkeys = system.model(Passkey);
  if ((await passkeys.count([['credential', '=', credential.id]])) > 0) return false;
  if ((await passkeys.count([['user_id', '=', userId]])) >= MAX_PASSKEYS) return false;
  await passkeys.create({
    name,
    user_id: userId,
    credential: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    site,
    synced,
  });
  return true;
}

/** Options for signing in with one of the browser's passkeys for this site. */
export async function signInOptions(ctx: Ctx, request: RequestView) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const system = ctx.sudo(); // Credentials are only accessible to the system.
  return generateAuthenticationOptions({
    rpID: siteOf(request),
    challenge: Buffer.from(await system.model(Challenge).begin('sign_in', null), 'base64url'),
    userVerification: 'required',
  });
}

/**
 * Returns the owner of the passkey that signed the session's challenge; null if the response is invalid: unknown passkey, wrong site or
 * challenge, repeated counter, or disabled user.
 */
export async function ownerOfPasskey(
  ctx: Ctx,
  request: RequestView,
  response: AuthenticationResponseJSON,
): Promise<Id | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const system = ctx.sudo(); // Credentials are only accessible to the system.
  const expectedChallenge = await system.model(Challenge).take('sign_in', null);
  const site = siteOf(request);
  const [passkey] = await system.model(Passkey).find(
    [
      ['credential', '=', response.id],
      ['site', '=', site],
    ],
    { select: { user_id: true }, limit: 1 },
  );
  if (expectedChallenge === null || !passkey?.user_id) return null;
  // The lock serialises checking and updating the counter.
  await ctx.lock(Passkey, [passkey.id]);
  const { credential, public_key, counter } = await system
    .model(Passkey)
    .get(passkey.id, { select: { credential: true, public_key: true, counter: true } });
  const handle = response.response.userHandle;
  if (handle !== undefined && !timingSafeEqualText(handle, handleOf(ctx, passkey.user_id))) return null;
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: request.origin,
    expectedRPID: site,
    credential: { id: credential, publicKey: Buffer.from(public_key, 'base64url'), counter },
    requireUserVerification: true,
  }).catch((error: unknown) => logFailure(ctx, error));
  if (!verification?.verified) return null;
  await system
    .model(Passkey)
    .write(passkey.id, { counter: verification.authenticationInfo.newCounter, last_use: ctx.now() });
  const active = await system.model(User).count([
    ['id', '=', passkey.user_id],
    ['active', '=', true],
  ]);
  return active > 0 ? passkey.user_id : null;
}

/** Logs the reason; the client only learns that the response was invalid. */
function logFailure(ctx: Ctx, error: unknown): null {
  ctx.log.warn({ err: error }, 'A passkey response is invalid');
  return null;
}
