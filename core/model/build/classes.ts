import type { Ctx } from '../../context/index.ts';
import type { CompiledModel } from '../compiled.ts';
import type { Declaration } from '../model.ts';
import type { Ctor } from '../types.ts';
import type { Collected } from './collect.ts';
import { mixinsOf } from './merge-fields.ts';

/**
 * A model's class for one registry: the layers' methods over the declared class, each seeing the one before as `super`.
 *
 * ```
 * layer of addon B  ─▶  layer of addon A  ─▶  mixins A's layer brings  ─▶  declared class  ─▶  its mixins  ─▶  RecordModel
 * ```
 */
export function buildClass({ owner, layers }: Collected): CompiledModel['Class'] {
  const applied = new Set<Declaration>(mixinsOf(owner));
  let Class = owner.ref as Ctor<unknown>;
  for (const layer of layers) {
    for (const mixed of mixinsOf(layer)) {
      if (applied.has(mixed)) continue;
      applied.add(mixed);
      Class = mixed.layer?.(Class) ?? Class;
    }
    Class = layer.declaration.layer?.(Class) ?? Class;
  }
  return asModelClass(Class);
}

/** Every class of a registry ends in `RecordModel`, since `model(…)` put it there. */
function asModelClass(Class: new (ctx: Ctx) => unknown): CompiledModel['Class'] {
  return Class as CompiledModel['Class'];
}
