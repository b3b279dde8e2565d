import { type Ctx, contexts, contextTools, type Identity } from '@pergola/core';
import { withImplied } from './identity.ts';
import { bearer } from './points.ts';
import { takeRate } from './rate-limits/rate-limit-ctx.ts';
import { networkOf } from './security/hosts-address.ts';

/** How programs are known by a token that came with the call instead of a session; provided once. */
export interface BearerProvider {
  /** Whether a text looks like a token, so that a password is never looked up as one. */
  isToken(text: string): boolean;
  /**
   * Whose token it is and what it covers (`Identity.scope`); null for one that is wrong, over, revoked, or of a disabled user. Rights are lifted in
   * the context, which reads.
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

/** Work in a transaction of its own, as the system: for notes about a call that may only read. Never inside a write. */
export function writeBeside<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return ctx.get(contexts).asSystem('write', work);
}

function providerOf(ctx: Ctx): BearerProvider | undefined {
  return ctx.get(bearer).at(-1);
}
