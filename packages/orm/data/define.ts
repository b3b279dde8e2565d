import type { Ctx } from '@pergola/core';
import type { ColumnKind } from '@pergola/db';
import type { Knex } from 'knex';
import type { FieldsOf, ModelRef, Values } from '../types.ts';

/** Reference to the record behind an external id, for shipped data. */
export interface Ref {
  readonly $ref: string;
}

/** `ref('base.eur')`: the id of a record shipped under that external id. Typed as a number so that it can be used as an id. */
export function ref(externalId: string): number {
  return { $ref: externalId } as unknown as number;
}

/** Shipped records of one model; created by {@link data}. */
export interface DataSet {
  readonly model: string;
  /** Values by external id. The addon's name can be omitted: `forum_help` in addon forum is `forum.forum_help`. */
  readonly records: Readonly<Record<string, object>> | ((ctx: Ctx) => Promise<Readonly<Record<string, object>>>);
  /** The records are created only once; upgrades keep changes made by an administrator. */
  readonly noupdate: boolean;
}

/**
 * Records of a model by their external ids, or a function that returns them. A conditional type, so that the compiler knows the model
 * before it infers the return type of an async function: `'open'` stays a selection value instead of being widened to string.
 */
export type ShippedRecords<I> = [I] extends [never]
  ? never
  :
      | Readonly<Record<string, Values<FieldsOf<I>>>>
      | ((ctx: Ctx) => Promise<Readonly<Record<string, Values<FieldsOf<I>>>>>);

/**
 * Declares records shipped by an addon (`data/*.ts`, always loaded) or its demo data (`demo/*.ts`, on request); a file's default export is
 * one set or a list of them. Records are created when the addon is first enabled. An upgrade updates records of `data/`; of `demo/` it only
 * adds new ones, if the addon was installed with demo data. Use a function if something has to be read or created first: pictures, dates
 * relative to today.
 *
 * ```ts
 * export default data(Forum, { forum_help: { name: { en_US: 'Help', fr_FR: 'Aide' } } }, { noupdate: true });
 * ```
 */
export function data<I>(model: ModelRef<I>, records: ShippedRecords<I>, options: { noupdate?: boolean } = {}): DataSet {
  const untypedRecords = records as DataSet['records'];
  return Object.freeze({ model: model.modelName, records: untypedRecords, noupdate: options.noupdate ?? false });
}

/** Default export of a migration file (`migrations/0002-rename-state.ts`); run once, in order, inside the upgrade's transaction. */
export interface Migration {
  /** The addon version that requires it, `1.2.0`. */
  readonly version: string;
  /** A sentence shown in the upgrade plan. */
  readonly summary: string;
  /** Migrates the data. `db` reads and writes rows; the schema tools rename and drop safely on both databases. */
  up(tools: MigrationTools): Promise<void>;
}
/** Tools for migrations. */
export interface MigrationTools {
  readonly dialect: 'sqlite' | 'postgres';
  /** knex in the migration's transaction, like `ctx.db` in a request. */
  readonly db: Knex;
  /** Adds a column of the new version, so that the migration can fill it; an existing column stays unchanged. */
  addColumn(table: string, column: string, kind: ColumnKind): Promise<void>;
  renameColumn(table: string, from: string, to: string): Promise<void>;
  renameTable(from: string, to: string): Promise<void>;
  /** Renames a model's table, by the names of the models, and updates records that refer to it: messages, attachments, external ids. */
  renameModel(from: string, to: string): Promise<void>;
  dropColumn(table: string, column: string): Promise<void>;
  dropTable(table: string): Promise<void>;
  /** Keeps the values of a column that no field uses. They are removed when the addon is uninstalled. */
  keepColumn(table: string, column: string): Promise<void>;
  /** Keeps the rows of a table that no model uses. They are removed when the addon is uninstalled. */
  keepTable(table: string): Promise<void>;
  /** Drops an unused index, if it exists. */
  dropIndex(table: string, name: string): Promise<void>;
  /** Writes a note about single records to the process log. */
  note(text: string): void;
}
/**
 * Defines a change to existing data that a newer version makes once: the default export of `migrations/0002-rename-state.ts`. The version
 * is the first one in `addon.ts` that requires it.
 */
export function migration(definition: Migration): Migration {
  return Object.freeze(definition);
}
