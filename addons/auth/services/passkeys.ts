import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type Ctx, type Id, type RequestView, signText, timingSafeEqualText } from 'pergola';
import { Company, User } from '#addons/base';
import { Challenge } from '../models/auth-challenge.ts';
import { Passkey } from '../models/auth-passkey.ts';

const MOST = 20;

/** Where browsers keep a passkey: the host that the visitor uses, which was checked against those of the site. */
function siteOf(request: RequestView): string {
  return new URL(request.origin).hostname;
}

/** What stands for a user in their authenticators; tells nobody who they are. */
function handleOf(ctx: Ctx, userId: Id): string {
  return signText(ctx.config.sessionSecret, 'auth.user_handle', String(userId));
}

/** What a browser is to make a passkey from, for whoever holds the keys of this account. */
export async function registrationOptions(ctx: Ctx, request: RequestView, holder: { userId: Id; login: string }) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const { userId, login } = holder;
  const system = ctx.sudo(); // Nobody has rights on what opens an account.
  const [company] = await ctx.model(Company).find([], { select: { name: true }, limit: 1 });
  const known = await system.model(Passkey).find([['user_id', '=', userId]], { select: { credential: true } });
  return generateRegistrationOptions({
    rpName: company?.name ?? siteOf(request),
    rpID: siteOf(request),
    userName: login,
    userID: Buffer.from(handleOf(ctx, userId), 'base64url'),
    challenge: Buffer.from(await system.model(Challenge).begin('register', userId), 'base64url'),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential }) => ({ id: credential })),
    // It is used without a login, and its device asks for a finger or a PIN: two things in one.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Keeps a passkey that a browser made for somebody; false when what it sent does not hold. */
export async function keepPasskey(
  ctx: Ctx,
  request: RequestView,
  about: { readonly userId: Id; readonly name: string; readonly response: RegistrationResponseJSON },
): Promise<boolean> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { userId, name, response } = about;
  const system = ctx.sudo(); // Nobody has rights on what opens an account.
  const expectedChallenge = await system.model(Challenge).take('register', userId);
  if (expectedChallenge === null) return false;
  const site = siteOf(request);
  const found = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: request.origin,
    expectedRPID: site,
    requireUserVerification: true,
  }).catch((error: unknown) => noted(ctx, error));
  if (!found?.verified) return false;
  const { credential, credentialBackedUp: synced } = found.registrationInfo;
  const passkeys = system.model(Passkey);
  if ((await passkeys.count([['credential', '=', credential.id]])) > 0) return false;
  if ((await passkeys.count([['user_id', '=', userId]])) >= MOST) return false;
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

/** What a browser is to sign to let somebody in; it offers the passkeys that it has for this site. */
export async function signInOptions(ctx: Ctx, request: RequestView) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const system = ctx.sudo(); // Nobody has rights on what opens an account.
  return generateAuthenticationOptions({
    rpID: siteOf(request),
    challenge: Buffer.from(await system.model(Challenge).begin('sign_in', null), 'base64url'),
    userVerification: 'required',
  });
}

/**
 * Whose passkey signed what the session was asked for; null when what the browser sent does not hold, for whatever reason: an unknown passkey, another site or
 * challenge, a counter that was there before, a user who is disabled.
 */
export async function ownerOfPasskey(
  ctx: Ctx,
  request: RequestView,
  response: AuthenticationResponseJSON,
): Promise<Id | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const system = ctx.sudo(); // Nobody has rights on what opens an account.
  const expectedChallenge = await system.model(Challenge).take('sign_in', null);
  const site = siteOf(request);
  const [known] = await system.model(Passkey).find(
    [
      ['credential', '=', response.id],
      ['site', '=', site],
    ],
    { select: { user_id: true }, limit: 1 },
  );
  if (expectedChallenge === null || !known?.user_id) return null;
  // The counter is looked at and set by one after the other.
  await ctx.lock(Passkey, [known.id]);
  const { credential, public_key, counter } = await system
    .model(Passkey)
    .get(known.id, { select: { credential: true, public_key: true, counter: true } });
  const handle = response.response.userHandle;
  if (handle !== undefined && !timingSafeEqualText(handle, handleOf(ctx, known.user_id))) return null;
  const found = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: request.origin,
    expectedRPID: site,
    credential: { id: credential, publicKey: Buffer.from(public_key, 'base64url'), counter },
    requireUserVerification: true,
  }).catch((error: unknown) => noted(ctx, error));
  if (!found?.verified) return null;
  await system.model(Passkey).write(known.id, { counter: found.authenticationInfo.newCounter, last_use: ctx.now() });
  const active = await system.model(User).count([
    ['id', '=', known.user_id],
    ['active', '=', true],
  ]);
  return active > 0 ? known.user_id : null;
}

/** Why something did not hold is for the log; whoever sent it learns that it did not. */
function noted(ctx: Ctx, error: unknown): null {
  ctx.log.warn({ err: error }, 'What a browser sent for a passkey does not hold');
  return null;
}
