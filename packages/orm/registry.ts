import { type Ctx, contextTools, NotFound } from '@pergola/core';
import type { CompiledAccess } from './access/compiled.ts';
import { isRecordModel } from './bind.ts';
import type { CompiledModel } from './compiled.ts';
import type { RecordModel } from './record-model.ts';
import type { AnyModel } from './types.ts';

interface RegistryParts {
  /** By name, in the order of the addons that declare them. */
  readonly models: ReadonlyMap<string, CompiledModel>;
  readonly access: CompiledAccess;
  /** `en_US`, …; the default language first. */
  readonly languages: readonly string[];
  /** Addons that would bring models which are not here, by model name. */
  readonly absent: ReadonlyMap<string, string>;
  /**
   * Stored computed fields (`model.field`) whose column is not right for all rows yet, because their addon was enabled again and the job that
   * works them out is still running: until then they are read like those without `store`.
   */
  readonly pendingFields?: ReadonlySet<string>;
}

/**
 * The models of one generation: every declaration with the extensions of the enabled addons over it. Nothing in it changes once it is built but
 * what {@link memo} keeps, and two registries share nothing.
 */
export class ModelRegistry {
  readonly models: RegistryParts['models'];
  readonly access: CompiledAccess;
  readonly languages: readonly string[];
  readonly pendingFields: ReadonlySet<string>;
  readonly #parts: RegistryParts;
  readonly #kept = new Map<string, unknown>();

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    this.models = parts.models;
    this.access = parts.access;
    this.languages = parts.languages;
    this.pendingFields = parts.pendingFields ?? new Set();
  }

  /** The language that others fall back to, and that texts in code are in. */
  get defaultLanguage(): string {
    return this.languages[0] ?? '';
  }

  /** The same models, with these kept values worked out on reading as well. */
  withPending(fields: Iterable<string>): ModelRegistry {
    const pendingFields = new Set([...this.pendingFields, ...fields]);
    return new ModelRegistry({ ...this.#parts, pendingFields });
  }

  get(name: string): CompiledModel | undefined {
    return this.models.get(name);
  }

  /** The model; NotFound, naming the addon that would bring it, when it is not there. */
  need(name: string): CompiledModel {
    const model = this.models.get(name);
    if (model) return model;
    const addon = this.#parts.absent.get(name);
    throw addon
      ? new NotFound('Unknown model “{model}”: its app “{addon}” isn’t enabled.', {
          code: 'core.no_model',
          params: { model: name, addon },
        })
      : new NotFound('Unknown model “{model}”.', { code: 'core.no_model', params: { model: name } });
  }

  /** The model for a context: one instance per context and model. */
  bind(ctx: Ctx, name: string): RecordModel {
    const { memo } = ctx.get(contextTools);
    const key = `model:${name}`;
    const kept = memo.get(key);
    if (isRecordModel(kept)) return kept;
    const made = new (this.need(name).Class)(ctx);
    memo.set(key, made);
    return made;
  }

  /** The same as addons see it. */
  model(ctx: Ctx, name: string): AnyModel {
    // Its methods take any field's name and answer plain rows; what an addon knows of them, the compiler says where it names the model.
    return this.bind(ctx, name) as unknown as AnyModel;
  }

  /** Something worked out once for this registry (a dependency graph, kept SQL); `make` must answer the same type for the same key. */
  memo<T extends NonNullable<unknown>>(key: string, make: () => T): T {
    const known = this.#kept.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.#kept.set(key, made);
    return made;
  }
}
