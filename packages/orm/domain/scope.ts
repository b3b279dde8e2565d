import { type Binding, type Codec, type Dialect, inListSql, listBinding, Placeholder } from '@pergola/db';
import type { Knex } from 'knex';
import { isRestricted } from '../access/rights.ts';
import { dependencyKeys } from '../apart.ts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import type { ModelRegistry } from '../registry.ts';
import type { ParsedDomain } from './parse.ts';

/** SQL with its placeholders, for use in other SQL. */
export type Sql = Knex.Raw;

/** A comparison with the current time: the next row to cross it limits how long the result is valid. */
export interface MomentUse {
  readonly table: string;
  readonly column: string;
  readonly operator: '<' | '<=' | '>' | '>=' | '=' | '!=';
  readonly source: number;
  readonly index: number;
}

/** Rows of a model visible through a relation, and the index of the source with its values. */
export interface Guard {
  readonly domain: ParsedDomain;
  readonly source: number;
}

/** A table in a statement. */
export interface Level {
  readonly model: CompiledModel;
  readonly alias: string;
  /** The source with the values of the domain being compiled. */
  readonly source: number;
  /** Whether relations only lead to records the reader may see; false inside record rules and with rights lifted. */
  readonly guarded: boolean;
}

/** A statement under construction: its aliases and dependencies. */
export class SqlScope {
  readonly knex: Knex;
  readonly registry: ModelRegistry;
  readonly codec: Codec;
  readonly dialect: Dialect;
  /** Languages in which a translated text is looked up, in order. */
  readonly languages: readonly string[];
  readonly tables = new Set<string>();
  /** Names of read models whose pages are never cached. */
  readonly volatile = new Set<string>();
  readonly moments: MomentUse[] = [];
  /** Restricted fields named by the reader's own conditions and orders. */
  readonly restricted = new Set<CompiledField>();
  readonly #guards: ReadonlyMap<string, Guard>;
  #aliases = 0;

  constructor(parts: {
    knex: Knex;
    registry: ModelRegistry;
    codec: Codec;
    languages: readonly string[];
    guards?: ReadonlyMap<string, Guard>;
  }) {
    this.knex = parts.knex;
    this.registry = parts.registry;
    this.codec = parts.codec;
    this.dialect = parts.codec.dialect;
    this.languages = parts.languages;
    this.#guards = parts.guards ?? new Map();
  }

  /** Returns a new alias for a table that the statement reads. */
  use(model: CompiledModel): string {
    if (model.volatile) this.volatile.add(model.name);
    else this.tables.add(model.table);
    return this.alias();
  }

  /** Notes that the statement reads a field of a table it uses. */
  reads(field: CompiledField): void {
    const model = this.registry.need(field.model);
    if (!model.volatile) for (const name of dependencyKeys(model, field)) this.tables.add(name);
  }

  alias(): string {
    return `t${this.#aliases++}`;
  }

  /** Returns the visible rows behind a relation to the model. A model without a prepared guard shows nothing. */
  guardOf(model: string): Guard | null {
    return this.#guards.get(model) ?? null;
  }

  /** Notes that a condition or order names a field. */
  touch({ guarded }: Level, field: CompiledField): void {
    if (guarded && isRestricted(field)) this.restricted.add(field);
  }

  /** Returns a function that encodes values of a field for its column. */
  encoder(field: CompiledField): (value: unknown) => Binding {
    const { codec } = this;
    const { kind, toColumn } = field;
    const columnKind = field.translated || kind === null ? 'text' : kind;
    return (value) => codec.encode(columnKind, toColumn(value));
  }

  /** Returns SQL for "is in this list", with the list as one placeholder. */
  inList(expression: Sql, { source, index, count }: ListAt, field: CompiledField): Sql {
    const { dialect } = this;
    const encode = this.encoder(field);
    const isOne = count === 1;
    const kind = field.translated ? 'text' : (field.kind ?? 'text');
    const encodeAll = (value: unknown) => {
      const items = asList(value).map((item) => encode(item));
      return isOne ? items[0] : listBinding(dialect, items);
    };
    const list = new Placeholder(index, source, encodeAll);
    return this.knex.raw(inListSql(dialect, '?', kind, isOne), [expression, list]);
  }
}

/** Position of a list among a statement's sources, and its length; a single value counts as a list of one. */
interface ListAt {
  readonly source: number;
  readonly index: number;
  readonly count: number;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
