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
  /** Addons that would define missing models, by model name. */
  readonly absent: ReadonlyMap<string, string>;
  /**
   * Stored computed fields (`model.field`) whose column isn't filled for all rows yet, because their addon was enabled again and the job
   * that calculates them is still running: until then they are calculated when read, like fields without `store`.
   */
  readonly pendingFields?: ReadonlySet<string>;
}

/**
 * The models of one generation: every declaration with the extensions of the enabled addons. Immutable once built, except for the cache of
 * {@link memo}; registries share nothing.
 */
export class ModelRegistry {
  readonly models: RegistryParts['models'];
  readonly access: CompiledAccess;
  readonly languages: readonly string[];
  readonly pendingFields: ReadonlySet<string>;
  readonly #parts: RegistryParts;
  readonly #cache = new Map<string, unknown>();

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    this.models = parts.models;
    this.access = parts.access;
    this.languages = parts.languages;
    this.pendingFields = parts.pendingFields ?? new Set();
  }

  /** Language that others fall back to, and in which texts in code are written. */
  get defaultLanguage(): string {
    return this.languages[0] ?? '';
  }

  /** Returns a registry with the same models in which these stored values are calculated when read, too. */
  withPending(fields: Iterable<string>): ModelRegistry {
    const pendingFields = new Set([...this.pendingFields, ...fields]);
    return new ModelRegistry({ ...this.#parts, pendingFields });
  }

  get(name: string): CompiledModel | undefined {
    return this.models.get(name);
  }

  /**
   * Returns the model.
   *
   * @throws NotFound if it is missing; names the addon that would define it
   */
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

  /** Returns the model's instance for a context, created once per context and model. */
  bind(ctx: Ctx, name: string): RecordModel {
    const { memo } = ctx.get(contextTools);
    const key = `model:${name}`;
    const existing = memo.get(key);
    if (isRecordModel(existing)) return existing;
    const model = new (this.need(name).Class)(ctx);
    memo.set(key, model);
    return model;
  }

  /** Returns the same instance with the type that addons use. */
  model(ctx: Ctx, name: string): AnyModel {
    // Its methods take any field name and return plain rows; addons get typed fields where they name the model.
    return this.bind(ctx, name) as unknown as AnyModel;
  }

  /** Returns a value calculated once per registry (a dependency graph, cached SQL); `make` must return the same type for the same key. */
  memo<T extends NonNullable<unknown>>(key: string, make: () => T): T {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached as T;
    const created = make();
    this.#cache.set(key, created);
    return created;
  }
}
