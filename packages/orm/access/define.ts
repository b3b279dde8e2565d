import type { Ctx } from '@pergola/core';
import { declaredHere } from '@pergola/core';
import type { Domain, FieldsOf, ModelRef } from '../types.ts';

/** A set of users; `implies` makes members of this one members of those too. */
export interface GroupDefinition {
  readonly id: string;
  readonly label: string;
  readonly implies: readonly string[];
  /** Groups of other addons whose members are in this one too: those that manage everything. */
  readonly impliedBy?: readonly string[];
  /** Heading under which the users form shows it. */
  readonly category?: string;
}

/** `addon.name` for groups; everybody who is signed in has `base.group_user`, `base.group_portal` or both, visitors `base.group_public`. */
export function group(id: string, about: Partial<GroupDefinition> & Pick<GroupDefinition, 'label'>): GroupDefinition {
  return Object.freeze(declaredHere({ id, implies: [], ...about }, group));
}

/** Letters of `r`ead, `w`rite, `c`reate, `d`elete. */
export type Rights = string;
/** What each group may do with the records of a model; made by `access(…)`. */
export interface AccessList {
  readonly model: string;
  /** Rights by group; `*` is everybody. A user has the union over their groups. What no line grants is refused. */
  readonly rights: Readonly<Record<string, Rights>>;
}

/**
 * Who may do what with a model's records as such; record rules then say which ones.
 *
 * ```ts
 * access(Post, { '*': 'r', 'base.group_user': 'rwc', 'forum.moderator': 'rwcd' })
 * ```
 */
export function access(model: ModelRef, rights: Readonly<Record<string, Rights>>): AccessList {
  return Object.freeze(declaredHere({ model: model.modelName, rights }, access));
}

/** Which records the rights of an access list cover; made by {@link rule}. */
export interface RecordRule {
  readonly id: string;
  readonly model: string;
  /** Empty: holds for everybody (and with all others); else OR-ed with the other rules of the user's groups. */
  readonly groups: readonly string[];
  readonly operations: Rights;
  readonly domain: (ctx: Ctx) => readonly unknown[] | Promise<readonly unknown[]>;
}

/**
 * Which records the rights of an access list cover: a domain worked out per request.
 *
 * ```ts
 * rule('sale.own_orders', Order, { groups: ['base.group_portal'], domain: (ctx) => [['partner_id', '=', ctx.user.partnerId]] })
 * ```
 */
export function rule<I, const D extends Domain<FieldsOf<I>>>(
  id: string,
  model: ModelRef<I>,
  about: {
    groups?: readonly string[];
    operations?: Rights;
    domain: (ctx: Ctx) => D | Promise<D>;
  },
): RecordRule {
  const { groups = [], operations = 'rwcd', domain } = about;
  return Object.freeze(declaredHere({ id, model: model.modelName, groups, operations, domain }, rule));
}
