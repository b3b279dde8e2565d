import type { Generation } from '@pergola/core';
import { type Ctx, contextTools, type Identity } from '@pergola/core';
import { groups, type Id } from '@pergola/orm';
import { identity as identityProvider } from './points.ts';

/** Looks up users; provided once, by the base addon. */
export interface IdentityProvider {
  /**
   * Identity of a user, or null if the user is deleted or disabled. Tracks the rows it reads, so the next call on every node sees a change
   * (C16).
   */
  load(ctx: Ctx, userId: Id): Promise<Identity | null>;
  /** Identity of visitors who aren't signed in. */
  anonymous(ctx: Ctx): Promise<Identity>;
}

/**
 * Identity of a user with all implied groups, or null if the user is missing or disabled. For acting as another user (`ctx.as({ user })`)
 * after checking that the caller may.
 */
export async function identityOf(ctx: Ctx, userId: Id): Promise<Identity | null> {
  const { generation } = ctx.get(contextTools);
  const identity = (await providerOf(generation)?.load(ctx, userId)) ?? null;
  return identity && withImplied(generation, identity);
}

/** Identity that access rights apply to visitors who aren't signed in. */
export async function anonymousIdentity(ctx: Ctx): Promise<Identity | null> {
  const { generation } = ctx.get(contextTools);
  const identity = (await providerOf(generation)?.anonymous(ctx)) ?? null;
  return identity && withImplied(generation, identity);
}

/** The identity with all groups implied by its own groups. */
export function withImplied(generation: Generation, identity: Identity): Identity {
  const groupsById = generation.get(groups);
  const all = new Set([...identity.groups].flatMap((group) => [...(groupsById.get(group)?.all ?? [group])]));
  return { ...identity, groups: all };
}

function providerOf(generation: Generation) {
  return generation.get(identityProvider).at(-1);
}
