import type { Ctx } from '../context.ts';
import { codecFor } from '../db/codec.ts';
import { internals } from '../internals.ts';
import type { BoundModel, CompiledModel } from './compiled.ts';
import { models } from './points.ts';
import { boundOf, type RecordModel } from './record-model.ts';
import type { ModelRegistry } from './registry.ts';

/** The kernel's side of a model instance. */
export function makeBound(self: RecordModel, compiled: CompiledModel): BoundModel {
  const { ctx } = self;
  const { connection, database, generation } = internals(ctx);
  const registry = generation.get(models);
  const codec = registry.memo(`codec:${connection.dialect}`, () => codecFor(connection.dialect));
  return Object.freeze({ ctx, compiled, registry, codec, knex: database.knex, connection, self });
}

/** Another model in the same context; NotFound when it is not there. */
export function bindOther(bound: BoundModel, name: string): BoundModel {
  return boundOf(bound.registry.bind(bound.ctx, name));
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
export function systemContext(ctx: Ctx, { languages }: ModelRegistry): Ctx {
  return ctx.sudo().as({ lang: languages[0] ?? ctx.lang });
}
