import type { Ctx } from '@pergola/core';
import type { ColumnKind, Connection } from '@pergola/db';
import type { Knex } from 'knex';
import type { Field, Fields, FieldType } from './fields.ts';
import type { ModelOptions } from './model.ts';
import type { QueryPlans } from './read/plan-cache.ts';
import type { RecordModel } from './record-model.ts';
import type { ModelRegistry } from './registry.ts';
import type { SealingCodec } from './sealed.ts';

/** Link to one record; `foreignKey` is false if the database has no constraint for it (`create_uid`). */
export interface ToOne {
  readonly kind: 'many2one';
  /** The target model's name. */
  readonly to: string;
  readonly ondelete: 'restrict' | 'cascade' | 'set null';
  readonly foreignKey: boolean;
}

/** Records whose many2one points to this record. */
export interface ToLines {
  readonly kind: 'one2many';
  readonly to: string;
  /** The many2one's name on the target, and its column. */
  readonly inverse: string;
  readonly inverseColumn: string;
}

/** Links through a join table. */
export interface ToMany {
  readonly kind: 'many2many';
  readonly to: string;
  readonly table: string;
  /** The columns that hold this model's id and the target's id. */
  readonly from: string;
  readonly toColumn: string;
  /** Effect of deleting a linked record on this model's records; with `set null` only the link is deleted. */
  readonly ondelete: 'restrict' | 'cascade' | 'set null';
  /** The addon whose field created the table. */
  readonly addon: string;
}

export type Relation = ToOne | ToLines | ToMany;

/** Field with the changes of all enabled extensions, and its place in the database. */
export interface CompiledField {
  readonly name: string;
  readonly model: string;
  readonly type: FieldType;
  /** The declaration with the changes of extensions: options merged, selection values added. */
  readonly declared: Field;
  readonly options: Field['options'];
  readonly label: string;
  /**
   * The addon that declares the field, and whether it differs from the model's addon (the column is then never NOT NULL without a default).
   */
  readonly addon: string;
  readonly isExtended: boolean;
  /** `id`, `create_date`, …: maintained by the core, never written through values. */
  readonly base: boolean;
  /** Column that holds the value; null for x2many fields, `display_name`, and computed or related fields without `store`. */
  readonly column: string | null;
  readonly kind: ColumnKind | null;
  readonly required: boolean;
  /** One JSON column `{ lang: text }`. */
  readonly translated: boolean;
  /** Has a column or a join table (many2many). */
  readonly stored: boolean;
  /** Column with folded text for `ilike` and sorting: text, or `{ lang: folded }` for a translated field. */
  readonly foldColumn: string | null;
  readonly relation: Relation | null;
  /** Method that calculates the value: stored if `column` is set, otherwise calculated when read. */
  readonly compute: string | null;
  readonly depends: readonly string[];
  /** Path of the mirrored field, split at the dots; never stored. */
  readonly related: readonly string[] | null;
  /** Groups whose members may read and write the field; everyone if empty. */
  readonly groups: readonly string[];
  readonly secret: boolean;
  /** Purpose under which the column's text is encrypted, or null if it isn't. */
  readonly sealedFor: string | null;
  /** Selection: values in order with their label, the addon that added each, and the value that rows get when that addon is uninstalled. */
  readonly choices: ReadonlyMap<
    string,
    { readonly label: string; readonly addon: string; readonly onUninstall: string | null }
  > | null;
  /**
   * Converts a value for the column's kind (a decimal to whole millionths); pass the result to `codec.encode(kind, …)`. Null stays null.
   */
  readonly toColumn: (value: unknown) => unknown;
  /** Converts back the result of `codec.decode(kind, …)`; null if no conversion is needed. */
  readonly fromColumn: ((value: unknown) => unknown) | null;
}

/**
 * Full text: the fields it covers and the columns with their folded text, by language (`''`: a single column, if nothing is translated).
 */
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
  /** SQL condition on the rows it applies to, the same on both databases. */
  readonly where: string | null;
  readonly message: string | null;
}

/** Model with the changes of all enabled extensions. Frozen with its registry. */
export interface CompiledModel {
  readonly name: string;
  readonly table: string;
  /** The addon that declares the model. */
  readonly addon: string;
  /** Addons that extend the model, in order. */
  readonly extensions: readonly string[];
  readonly label: string;
  readonly options: ModelOptions;
  readonly order: readonly OrderTerm[];
  /** Field that names a record; null if the id does. */
  readonly nameField: CompiledField | null;
  /** Fields searched when a record is looked up by name: texts and relations. */
  readonly nameSearch: readonly CompiledField[];
  /** Declared, mixed-in, added and base fields. */
  readonly fields: ReadonlyMap<string, CompiledField>;
  /** The fields as declarations, without a prototype; used by `model.fields` and row metadata. */
  readonly declared: Fields;
  readonly search: CompiledSearch | null;
  readonly unique: readonly CompiledUnique[];
  /** Additional indexes, by fields, with the addons that declare them. */
  readonly indexes: readonly { readonly columns: readonly string[]; readonly addon: string }[];
  readonly volatile: boolean;
  /**
   * Has a stored boolean `active`: `find`, `search`, `count`, `group` and the lines of its one2many omit inactive records unless the domain
   * names `active` (at the same level); reading by id, many2one, many2many and all writes include them.
   */
  readonly activeField: boolean;
  /** Names of its mixins. */
  readonly mixins: ReadonlySet<string>;
  /** The declared class with this registry's extensions applied. */
  readonly Class: new (
    ctx: Ctx,
  ) => RecordModel;
}

/** Model bound to a context; taken by the functions that read and write. */
export interface BoundModel {
  readonly ctx: Ctx;
  readonly compiled: CompiledModel;
  readonly registry: ModelRegistry;
  readonly codec: SealingCodec;
  /** Cached plans of this registry and database. */
  readonly plans: QueryPlans;
  /** Compiles statements, which run on `connection`. */
  readonly knex: Knex;
  /** The open transaction if the context writes, otherwise the read pool. */
  readonly connection: Connection;
  /** The instance exposed to addons, for methods that extensions override (`displayNames`, `beforeCreate`, compute methods). */
  readonly self: RecordModel;
}
