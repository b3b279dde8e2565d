import type { Ctx, Identity } from './context.ts';
import type { Generation } from './generation.ts';
import { internals } from './internals.ts';
import type { Id } from './model/fields.ts';

/**
 * Who a user is, with everything their groups imply; null when there is no such user or it is disabled. For acting in somebody's name
 * (`ctx.as({ user })`) once it is certain that one may.
 */
export async function identityOf(ctx: Ctx, userId: Id): Promise<Identity | null> {
  const { generation } = internals(ctx);
  const identity = (await providerOf(generation)?.load(ctx, userId)) ?? null;
  return identity && withImplied(generation, identity);
}

/** Everybody who has not signed in, as rights see them. */
export async function anonymousIdentity(ctx: Ctx): Promise<Identity | null> {
  const { generation } = internals(ctx);
  const identity = (await providerOf(generation)?.anonymous(ctx)) ?? null;
  return identity && withImplied(generation, identity);
}

/** The identity as a member of all groups that its own imply. */
export function withImplied({ groups }: Pick<Generation, 'groups'>, identity: Identity): Identity {
  const all = new Set([...identity.groups].flatMap((group) => [...(groups.get(group)?.all ?? [group])]));
  return { ...identity, groups: all };
}

function providerOf({ addons }: Generation) {
  return addons.findLast(({ definition }) => definition.identity)?.definition.identity;
}
