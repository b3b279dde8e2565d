import { namedCache } from '@pergola/caches';
import type { Knex } from 'knex';

/** Placeholder bound by knex instead of a value: member `index` of list number `source` of a run, encoded if necessary. */
export class Placeholder {
  /** Satisfies knex's types, which accept any object as a value. knex would turn a plain object into JSON. */
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

/** A compiled statement, independent of values. */
export interface Plan {
  readonly sql: string;
  readonly placeholders: readonly Placeholder[];
}

/** A knex query, ready to be compiled. */
export interface Buildable {
  toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } };
}

/** Values of a run, in lists. */
export type Sources = readonly (readonly unknown[])[];

/**
 * Compiles a query whose bindings are placeholders. knex accepts only numbers for limits and offsets; `numbered` returns the placeholder
 * for such a number.
 */
export function planOf(query: Buildable, numbered?: (index: number) => Placeholder): Plan {
  const { sql, bindings } = query.toSQL().toNative();
  const placeholders = bindings.map((bound) => {
    if (bound instanceof Placeholder) return bound;
    if (typeof bound === 'number' && numbered) return numbered(bound);
    throw new TypeError(`“${String(bound)}” is bound where a placeholder belongs, in: ${sql}`);
  });
  return { sql, placeholders };
}

/** Inserts the values into a plan. */
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

/**
 * Limits in bytes for cached statements of a database, some hundreds. Statements that write hundreds of rows rarely recur in the same
 * shape.
 */
const cacheLimits = { maxSize: 6_000_000, maxEntrySize: 60_000 };
/** Estimated size of a placeholder. */
const placeholderBytes = 50;

/** Compiled statements of a database by shape: knex compiles each shape once, and runs only insert values. */
export class Plans {
  readonly #knex: Knex;
  readonly #kept = namedCache<string, Plan>('statement_plans', {
    ...cacheLimits,
    sizeCalculation: ({ sql, placeholders }, shape) =>
      shape.length + sql.length + placeholders.length * placeholderBytes,
  });

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Statement of this shape with these values; `build` inserts placeholders, and is called only for a new shape. */
  statement(shape: string, sources: Sources, build: (knex: Knex) => Buildable): { sql: string; bindings: unknown[] } {
    const cachedPlan = this.#kept.get(shape);
    const plan = cachedPlan ?? planOf(build(this.#knex));
    if (!cachedPlan) this.#kept.set(shape, plan);
    return filled(plan, sources);
  }
}
