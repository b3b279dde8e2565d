import type { Generation } from '@pergola/core';
import { type Ctx, contextTools, type Identity } from '@pergola/core';
import { groups, type Id } from '@pergola/orm';
import { identity as identityProvider } from './points.ts';

/** How users are found; provided once, by addon base. */
export interface IdentityProvider {
  /** The identity of a user, or null when it is gone or disabled. Rows it reads are followed: a change is seen by the next call on every node (C16). */
  load(ctx: Ctx, userId: Id): Promise<Identity | null>;
  /** Everybody who has not signed in. */
  anonymous(ctx: Ctx): Promise<Identity>;
}

/**
 * Who a user is, with everything their groups imply; null when there is no such user or it is disabled. For acting in somebody's name
 * (`ctx.as({ user })`) once it is certain that one may.
 */
export async function identityOf(ctx: Ctx, userId: Id): Promise<Identity | null> {
  const { generation } = ctx.get(contextTools);
  const identity = (await providerOf(generation)?.load(ctx, userId)) ?? null;
  return identity && withImplied(generation, identity);
}

/** Everybody who has not signed in, as rights see them. */
export async function anonymousIdentity(ctx: Ctx): Promise<Identity | null> {
  const { generation } = ctx.get(contextTools);
  const identity = (await providerOf(generation)?.anonymous(ctx)) ?? null;
  return identity && withImplied(generation, identity);
}

/** The identity as a member of all groups that its own imply. */
export function withImplied(generation: Generation, identity: Identity): Identity {
  const known = generation.get(groups);
  const all = new Set([...identity.groups].flatMap((group) => [...(known.get(group)?.all ?? [group])]));
  return { ...identity, groups: all };
}

function providerOf(generation: Generation) {
  return generation.get(identityProvider).at(-1);
}
