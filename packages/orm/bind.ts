import type { Ctx } from '@pergola/core';
import { codecFor, databaseSession } from '@pergola/db';
import { withoutScope } from './access/rights.ts';
import type { BoundModel, CompiledModel } from './compiled.ts';
import { queryPlans } from './read/plan-cache.ts';
import type { RecordModel } from './record-model.ts';
import type { ModelRegistry } from './registry.ts';
import { modelRegistry } from './registry-key.ts';
import { sealWith } from './sealed.ts';

/** Property under which a model instance keeps its core side. */
export const BOUND: unique symbol = Symbol('pergola.bound');

/** Returns the core side of a model returned by `ctx.model(…)`. */
export function boundOf(model: object): BoundModel {
  if (isRecordModel(model)) return model[BOUND];
  throw new TypeError('boundOf takes what ctx.model(…) answers.');
}

/** Whether a value is a bound model. */
export function isRecordModel(value: unknown): value is RecordModel {
  return typeof value === 'object' && value !== null && BOUND in value;
}

type OverridableMethod = 'allowed' | 'beforeCreate' | 'beforeWrite' | 'displayNames' | 'validate' | 'write';

/** Whether a model overrides a method of `RecordModel`, the base of all model classes. */
export function hasOwn({ Class }: CompiledModel, method: OverridableMethod): boolean {
  let base: object = Class.prototype;
  for (let next = Reflect.getPrototypeOf(base); next && method in next; next = Reflect.getPrototypeOf(next))
    base = next;
  return Class.prototype[method] !== Reflect.get(base, method);
}

/** Creates the core side of a model instance. */
export function makeBound(self: RecordModel, compiled: CompiledModel): BoundModel {
  const { ctx } = self;
  const { connection, database } = ctx.get(databaseSession);
  const registry = ctx.get(modelRegistry);
  const { dialect } = connection;
  const { sessionSecret } = ctx.config;
  const { codec, plans } = registry.memo(`${dialect}:${sessionSecret}`, () => ({
    codec: { ...codecFor(dialect), ...sealWith(sessionSecret) },
    plans: queryPlans(),
  }));
  return Object.freeze({ ctx, compiled, registry, codec, plans, knex: database.knex, connection, self });
}

/**
 * Returns another model in the same context.
 *
 * @throws NotFound if it doesn't exist
 */
export function bindOther(bound: BoundModel, name: string): BoundModel {
  return boundOf(bound.registry.bind(bound.ctx, name));
}

/** Returns the model without its user's scope; see `withoutScope`. */
export function unscoped(bound: BoundModel): BoundModel {
  const ctx = withoutScope(bound.ctx);
  return ctx === bound.ctx ? bound : boundOf(bound.registry.bind(ctx, bound.compiled.name));
}

/** Returns the model with rights lifted. */
export function bindSudo(bound: BoundModel): BoundModel {
  if (bound.ctx.su) return bound;
  return boundOf(bound.registry.bind(bound.ctx.sudo(), bound.compiled.name));
}

/**
 * Context in which stored computed values are calculated. They are the same for all users, so they must not depend on the rights or
 * language of the user who changes or reads a record.
 */
export function systemContext(ctx: Ctx, { defaultLanguage }: ModelRegistry): Ctx {
  return ctx.sudo().as({ lang: defaultLanguage });
}
