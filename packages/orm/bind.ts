import type { Ctx } from '@pergola/core';
import { codecFor, databaseSession } from '@pergola/db';
import { withoutScope } from './access/rights.ts';
import type { BoundModel, CompiledModel } from './compiled.ts';
import { queryPlans } from './read/plan-cache.ts';
import type { RecordModel } from './record-model.ts';
import type { ModelRegistry } from './registry.ts';
import { modelRegistry } from './registry-key.ts';
import { sealWith } from './sealed.ts';

/** Where a model instance keeps the core's side of it. */
export const BOUND: unique symbol = Symbol('pergola.bound');

/** The core's side of a model that `ctx.model(…)` gave. */
export function boundOf(model: object): BoundModel {
  if (isRecordModel(model)) return model[BOUND];
  throw new TypeError('boundOf takes what ctx.model(…) answers.');
}

/** Whether something is a bound model. */
export function isRecordModel(thing: unknown): thing is RecordModel {
  return typeof thing === 'object' && thing !== null && BOUND in thing;
}

/** Whether a model has a method of its own in the place of the one that every model has from `RecordModel`, in which all classes end. */
export function hasOwn({ Class }: CompiledModel, method: 'allowed' | 'displayNames' | 'validate'): boolean {
  let base: object = Class.prototype;
  for (let next = Reflect.getPrototypeOf(base); next && method in next; next = Reflect.getPrototypeOf(next))
    base = next;
  return Class.prototype[method] !== Reflect.get(base, method);
}

/** The core's side of a model instance. */
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

/** Another model in the same context; NotFound when it is not there. */
export function bindOther(bound: BoundModel, name: string): BoundModel {
  return boundOf(bound.registry.bind(bound.ctx, name));
}

/** The same model without the scope its user came with; see `withoutScope`. */
export function unscoped(bound: BoundModel): BoundModel {
  const ctx = withoutScope(bound.ctx);
  return ctx === bound.ctx ? bound : boundOf(bound.registry.bind(ctx, bound.compiled.name));
}

/** The same model with rights lifted. */
export function bindSudo(bound: BoundModel): BoundModel {
  if (bound.ctx.su) return bound;
  return boundOf(bound.registry.bind(bound.ctx.sudo(), bound.compiled.name));
}

/**
 * The context that kept computed values are worked out in. They are the same for everybody, so they must not depend on the rights or the language of
 * whoever happens to change or read something.
 */
export function systemContext(ctx: Ctx, { defaultLanguage }: ModelRegistry): Ctx {
  return ctx.sudo().as({ lang: defaultLanguage });
}
