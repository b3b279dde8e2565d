import { namedCache } from '@pergola/core';
import type { Knex } from 'knex';

/** What knex binds in the place of a value: member `index` of the list number `source` that a run brings, encoded if it is not yet. */
export class Placeholder {
  /** For knex's types, which take any object for a value. A plain one it would turn into JSON. */
  readonly [name: string]: unknown;
  readonly source: number;
  readonly index: number;
  readonly encode: ((value: unknown) => unknown) | null;

  constructor(index: number, source = 0, encode: Placeholder['encode'] = null) {
    this.source = source;
    this.index = index;
    this.encode = encode;
  }
}

/** A statement compiled for any values. */
export interface Plan {
  readonly sql: string;
  readonly placeholders: readonly Placeholder[];
}

/** A query of knex's, ready to be turned into SQL. */
export interface Buildable {
  toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } };
}

/** What a run brings: lists of values. */
export type Sources = readonly (readonly unknown[])[];

/** A query whose bindings are placeholders, compiled. For limits and offsets knex takes nothing but numbers; `numbered` tells what such a number stands for. */
export function planOf(query: Buildable, numbered?: (index: number) => Placeholder): Plan {
  const { sql, bindings } = query.toSQL().toNative();
  const placeholders = bindings.map((bound) => {
    if (bound instanceof Placeholder) return bound;
    if (typeof bound === 'number' && numbered) return numbered(bound);
    throw new TypeError(`“${String(bound)}” is bound where a placeholder belongs, in: ${sql}`);
  });
  return { sql, placeholders };
}

/** A plan with the values in their places. */
export function filled({ sql, placeholders }: Plan, sources: Sources): { sql: string; bindings: unknown[] } {
  const bindings = new Array<unknown>(placeholders.length);
  for (let position = 0; position < placeholders.length; position++) {
    const placeholder = placeholders[position];
    if (!placeholder) continue;
    const value = sources[placeholder.source]?.[placeholder.index];
    bindings[position] = placeholder.encode ? placeholder.encode(value) : value;
  }
  return { sql, bindings };
}

/** Bytes of statements kept per database, some hundreds; what writes hundreds of rows at once seldom comes again in the same shape. */
const kept = { maxSize: 6_000_000, maxEntrySize: 60_000 };
/** A placeholder in its list. */
const placeholderBytes = 50;

/** Statements of a database by their shape: knex compiles each once, a run only puts values in their places. */
export class Plans {
  readonly #knex: Knex;
  readonly #kept = namedCache<string, Plan>('statement_plans', {
    ...kept,
    sizeCalculation: ({ sql, placeholders }, shape) =>
      shape.length + sql.length + placeholders.length * placeholderBytes,
  });

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** The statement of this shape with these values; `build` puts placeholders where they go, and is called for a new shape only. */
  statement(shape: string, sources: Sources, build: (knex: Knex) => Buildable): { sql: string; bindings: unknown[] } {
    const known = this.#kept.get(shape);
    const plan = known ?? planOf(build(this.#knex));
    if (!known) this.#kept.set(shape, plan);
    return filled(plan, sources);
  }
}
