import type { Ctx } from '@pergola/core';
import type { ColumnKind, Connection } from '@pergola/db';
import type { Knex } from 'knex';
import type { Field, Fields, FieldType } from './fields.ts';
import type { ModelOptions } from './model.ts';
import type { QueryPlans } from './read/plan-cache.ts';
import type { RecordModel } from './record-model.ts';
import type { ModelRegistry } from './registry.ts';
import type { SealingCodec } from './sealed.ts';

/** A link to one record; `foreignKey` is null where the database keeps none (`create_uid`). */
export interface ToOne {
  readonly kind: 'many2one';
  /** The target model's name. */
  readonly to: string;
  readonly ondelete: 'restrict' | 'cascade' | 'set null';
  readonly foreignKey: boolean;
}

/** The records whose many2one leads here. */
export interface ToLines {
  readonly kind: 'one2many';
  readonly to: string;
  /** The many2one's name on the target, and its column. */
  readonly inverse: string;
  readonly inverseColumn: string;
}

/** Links through a table between. */
export interface ToMany {
  readonly kind: 'many2many';
  readonly to: string;
  readonly table: string;
  /** The column that holds this model's id, and the one that holds the target's. */
  readonly from: string;
  readonly toColumn: string;
  /** What deleting a linked record does to this model's: with `set null` only the link goes. */
  readonly ondelete: 'restrict' | 'cascade' | 'set null';
  /** The addon whose field made the table. */
  readonly addon: string;
}

export type Relation = ToOne | ToLines | ToMany;

/** A field with every enabled extension applied, and where it lives in the database. */
export interface CompiledField {
  readonly name: string;
  readonly model: string;
  readonly type: FieldType;
  /** The declaration with what extensions changed: options merged, selection values added. */
  readonly declared: Field;
  readonly options: Field['options'];
  readonly label: string;
  /** Which addon brought the field, and whether that is another one than the model's own (its column is then never NOT NULL without default). */
  readonly addon: string;
  readonly isExtended: boolean;
  /** `id`, `create_date`, …: kept by the core, never written by values. */
  readonly base: boolean;
  /** The column that holds the value; null for x2many, `display_name`, and what is computed or related without `store`. */
  readonly column: string | null;
  readonly kind: ColumnKind | null;
  readonly required: boolean;
  /** One JSON column `{ lang: text }`. */
  readonly translated: boolean;
  /** Has a column, or a table between (many2many). */
  readonly stored: boolean;
  /** The column of folded texts for `ilike` and sorting: text, or `{ lang: folded }` for a translated field. */
  readonly foldColumn: string | null;
  readonly relation: Relation | null;
  /** Method that works it out; with `column` set it is kept, else worked out on reading. */
  readonly compute: string | null;
  readonly depends: readonly string[];
  /** The path it mirrors, split at the dots; never stored. */
  readonly related: readonly string[] | null;
  /** Any of these groups may read and write it; empty: everybody. */
  readonly groups: readonly string[];
  readonly secret: boolean;
  /** Purpose under which the column's text is encrypted; null if it isn't. */
  readonly sealedFor: string | null;
  /** Selection: values in order with the label, the addon that brought each, and what rows get when that addon is uninstalled. */
  readonly choices: ReadonlyMap<
    string,
    { readonly label: string; readonly addon: string; readonly onUninstall: string | null }
  > | null;
  /** The value as the column's kind takes it (a decimal as whole millionths); feed the result to `codec.encode(kind, …)`. Null stays null. */
  readonly toColumn: (value: unknown) => unknown;
  /** The way back, from what `codec.decode(kind, …)` gave; null when nothing is to be done. */
  readonly fromColumn: ((value: unknown) => unknown) | null;
}

/** Full text: the fields it covers and the columns that hold their folded text, by language (`''` = one for all, nothing is translated). */
export interface CompiledSearch {
  readonly fields: readonly CompiledField[];
  readonly columns: ReadonlyMap<string, string>;
  /** The full-text index of a column, named for `searchMatches`. */
  readonly indexes: ReadonlyMap<string, string>;
}

export interface OrderTerm {
  /** `name`, or through many2one fields `partner_id.name`. */
  readonly path: readonly string[];
  readonly descending: boolean;
}

/** Columns that are unique together. */
export interface CompiledUnique {
  readonly name: string;
  readonly columns: readonly string[];
  /** SQL of the rows it holds for, the same on both databases. */
  readonly where: string | null;
  readonly message: string | null;
}

/** A model with every enabled extension applied. Frozen with its registry. */
export interface CompiledModel {
  readonly name: string;
  readonly table: string;
  /** The addon that declared it. */
  readonly addon: string;
  /** Addons with an extension over it, in order. */
  readonly extensions: readonly string[];
  readonly label: string;
  readonly options: ModelOptions;
  readonly order: readonly OrderTerm[];
  /** The field that names a record; null: its id does. */
  readonly nameField: CompiledField | null;
  /** Where a record is looked for by name: texts and relations. */
  readonly nameSearch: readonly CompiledField[];
  /** Own, mixed-in, added and base fields. */
  readonly fields: ReadonlyMap<string, CompiledField>;
  /** The same as declarations, without a prototype: what `model.fields` and row metadata show. */
  readonly declared: Fields;
  readonly search: CompiledSearch | null;
  readonly unique: readonly CompiledUnique[];
  /** More indexes, by fields, and who asked for them. */
  readonly indexes: readonly { readonly columns: readonly string[]; readonly addon: string }[];
  readonly volatile: boolean;
  /**
   * Has a stored boolean `active`: `find`, `search`, `count`, `group` and the lines of its one2many leave inactive records out unless the
   * domain names `active` (at its own level); reading by id, many2one, many2many and every write see them.
   */
  readonly activeField: boolean;
  /** Names of the mixins it carries. */
  readonly mixins: ReadonlySet<string>;
  /** The declared class with the extensions of this registry over it. */
  readonly Class: new (
    ctx: Ctx,
  ) => RecordModel;
}

/** A model bound to a context: what the reading and writing functions take. */
export interface BoundModel {
  readonly ctx: Ctx;
  readonly compiled: CompiledModel;
  readonly registry: ModelRegistry;
  readonly codec: SealingCodec;
  /** Of this registry and database. */
  readonly plans: QueryPlans;
  /** Compiles statements; they run on `connection`. */
  readonly knex: Knex;
  /** The open transaction where the context writes, else the read pool. */
  readonly connection: Connection;
  /** The instance that addons see, for methods that extensions override (`displayNames`, `beforeCreate`, compute methods). */
  readonly self: RecordModel;
}
