import type { Ctx } from '@pergola/core';
import { declaredHere } from '@pergola/core';
import type { Domain, FieldsOf, ModelRef } from '../types.ts';

/** A set of users; members of this group are also members of the groups in `implies`. */
export interface GroupDefinition {
  readonly id: string;
  readonly label: string;
  readonly implies: readonly string[];
  /** Groups of other addons that imply this group, such as administrators of everything. */
  readonly impliedBy?: readonly string[];
  /** Heading under which the users form shows it. */
  readonly category?: string;
}

/**
 * Defines a group with the id `addon.name`. Signed-in users are members of `base.group_user`, `base.group_portal` or both, visitors of
 * `base.group_public`.
 */
export function group(
  id: string,
  definition: Partial<GroupDefinition> & Pick<GroupDefinition, 'label'>,
): GroupDefinition {
  return Object.freeze(declaredHere({ id, implies: [], ...definition }, group));
}

/** Letters of `r`ead, `w`rite, `c`reate, `d`elete. */
export type Rights = string;
/** Rights of each group on the records of a model; created by `access(…)`. */
export interface AccessList {
  readonly model: string;
  /** Rights by group; `*` is everyone. Users have the union of their groups' rights; anything not granted is refused. */
  readonly rights: Readonly<Record<string, Rights>>;
}

/**
 * Grants rights on a model to groups; record rules then limit these rights to some of its records.
 *
 * ```ts
 * access(Post, { '*': 'r', 'base.group_user': 'rwc', 'forum.moderator': 'rwcd' })
 * ```
 */
export function access(model: ModelRef, rights: Readonly<Record<string, Rights>>): AccessList {
  return Object.freeze(declaredHere({ model: model.modelName, rights }, access));
}

/** Limits rights to some records; created by {@link rule}. */
export interface RecordRule {
  readonly id: string;
  readonly model: string;
  /** If empty, the rule applies to everyone, in addition to all others; otherwise it is OR-ed with the other rules of the user's groups. */
  readonly groups: readonly string[];
  readonly operations: Rights;
  readonly domain: (ctx: Ctx) => readonly unknown[] | Promise<readonly unknown[]>;
}

/**
 * Limits the rights of access lists to the records of a domain, which is evaluated per request.
 *
 * ```ts
 * rule('sale.own_orders', Order, { groups: ['base.group_portal'], domain: (ctx) => [['partner_id', '=', ctx.user.partnerId]] })
 * ```
 */
export function rule<I, const D extends Domain<FieldsOf<I>>>(
  id: string,
  model: ModelRef<I>,
  definition: {
    groups?: readonly string[];
    operations?: Rights;
    domain: (ctx: Ctx) => D | Promise<D>;
  },
): RecordRule {
  const { groups = [], operations = 'rwcd', domain } = definition;
  return Object.freeze(declaredHere({ id, model: model.modelName, groups, operations, domain }, rule));
}
