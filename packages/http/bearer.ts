import { type Ctx, contexts, contextTools, type Identity } from '@pergola/core';
import { withImplied } from './identity.ts';
import { bearer } from './points.ts';
import { takeRate } from './rate-limits/rate-limit-ctx.ts';
import { networkOf } from './security/hosts-address.ts';

/** Authenticates API clients by a token in the call instead of a session; provided once. */
export interface BearerProvider {
  /** Whether a text looks like a token, so that passwords are never looked up. */
  isToken(text: string): boolean;
  /**
   * Owner of a token and its scope (`Identity.scope`), or null if it is invalid, expired, revoked, or belongs to a disabled user. The
   * context has elevated rights and is read-only.
   */
  load(ctx: Ctx, token: string, address: string): Promise<Identity | null>;
}

/** Whether a text looks like a token of this site. */
export function isBearerToken(ctx: Ctx, text: string): boolean {
  return providerOf(ctx)?.isToken(text) ?? false;
}

/**
 * Identity a token belongs to, with all implied groups, or null if the token is invalid. Looks the token up on every call, so a revoked one
 * is rejected at once.
 *
 * @throws TooMany for an address that keeps sending invalid tokens
 */
export async function bearerIdentity(ctx: Ctx, token: string, address: string): Promise<Identity | null> {
  const provider = providerOf(ctx);
  if (!provider?.isToken(token)) return null;
  const identity = await provider.load(ctx.sudo(), token, address);
  if (identity) return withImplied(ctx.get(contextTools).generation, identity);
  // Tokens can't be guessed; the limit keeps invalid ones from loading the database.
  await takeRate(ctx, { name: 'core.bad_token', key: networkOf(address), calls: 60, seconds: 60, here: true });
  return null;
}

/** Runs work in a separate transaction, as the system: for records about a read-only call. Never inside a write. */
export function writeBeside<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return ctx.get(contexts).asSystem('write', work);
}

function providerOf(ctx: Ctx): BearerProvider | undefined {
  return ctx.get(bearer).at(-1);
}
