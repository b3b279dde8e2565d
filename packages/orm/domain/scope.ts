import { type Binding, type Codec, type Dialect, inListSql, listBinding, Placeholder } from '@pergola/db';
import type { Knex } from 'knex';
import { isRestricted } from '../access/rights.ts';
import { readBeside } from '../apart.ts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import type { ModelRegistry } from '../registry.ts';
import type { ParsedDomain } from './parse.ts';

/** SQL with its placeholders, to be put into other SQL. */
export type Sql = Knex.Raw;

/** A comparison with the time: when the next row crosses it decides how long the result holds. */
export interface MomentUse {
  readonly table: string;
  readonly column: string;
  readonly operator: '<' | '<=' | '>' | '>=' | '=' | '!=';
  readonly source: number;
  readonly index: number;
}

/** Which rows of a model are seen through a relation, and the number of the list with its values. */
export interface Guard {
  readonly domain: ParsedDomain;
  readonly source: number;
}

/** A table within a statement. */
export interface Level {
  readonly model: CompiledModel;
  readonly alias: string;
  /** The list that holds the values of the domain being compiled. */
  readonly source: number;
  /** Whether relations lead only to what the reader may see; not so within record rules and with rights lifted. */
  readonly guarded: boolean;
}

/** One statement while it is put together: its aliases, and what it touches. */
export class SqlScope {
  readonly knex: Knex;
  readonly registry: ModelRegistry;
  readonly codec: Codec;
  readonly dialect: Dialect;
  /** Languages in which a translated text is looked for, first one first. */
  readonly languages: readonly string[];
  readonly tables = new Set<string>();
  /** Names of models read whose pages are never kept. */
  readonly volatile = new Set<string>();
  readonly moments: MomentUse[] = [];
  /** Fields that not everybody may read and the reader's own conditions and orders name. */
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

  /** A new alias for a table that the statement reads. */
  use(model: CompiledModel): string {
    if (model.volatile) this.volatile.add(model.name);
    else this.tables.add(model.table);
    return this.alias();
  }

  /** Notes that the statement reads a field of a table it uses. */
  reads(field: CompiledField): void {
    const model = this.registry.need(field.model);
    if (!model.volatile) for (const name of readBeside(model, field)) this.tables.add(name);
  }

  alias(): string {
    return `t${this.#aliases++}`;
  }

  /** What a relation to the model leads to. A model without a guard was not foreseen, and shows nothing. */
  guardOf(model: string): Guard | null {
    return this.#guards.get(model) ?? null;
  }

  /** Notes that a condition or order names a field. */
  touch({ guarded }: Level, field: CompiledField): void {
    if (guarded && isRestricted(field)) this.restricted.add(field);
  }

  /** Encodes a value of a field for its column. */
  encoder(field: CompiledField): (value: unknown) => Binding {
    const { codec } = this;
    const { kind, toColumn } = field;
    const columnKind = field.translated || kind === null ? 'text' : kind;
    return (value) => codec.encode(columnKind, toColumn(value));
  }

  /** SQL for "is one of this list", the list being one placeholder. */
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

/** Where a list stands among the sources of a statement, and how many it holds; a single value counts as a list of one. */
interface ListAt {
  readonly source: number;
  readonly index: number;
  readonly count: number;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
