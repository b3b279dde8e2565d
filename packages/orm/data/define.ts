import type { Ctx } from '@pergola/core';
import type { ColumnKind } from '@pergola/db';
import type { Knex } from 'knex';
import type { FieldsOf, ModelRef, Values } from '../types.ts';

/** Stands for the record behind an external id wherever shipped data takes an id. */
export interface Ref {
  readonly $ref: string;
}

/** `ref('base.eur')`: the id of a record shipped under that external id. The type is a number so that it fits where ids go. */
export function ref(externalId: string): number {
  return { $ref: externalId } as unknown as number;
}

/** Shipped records of one model; made by {@link data}. */
export interface DataSet {
  readonly model: string;
  /** Values by external id (without the addon's name before it: `forum_help` in addon forum is `forum.forum_help`). */
  readonly records: Readonly<Record<string, object>> | ((ctx: Ctx) => Promise<Readonly<Record<string, object>>>);
  /** Records an administrator changed are kept on upgrade, and made only once. */
  readonly noupdate: boolean;
}

/**
 * Records of a model by their external ids, or a function that makes them. A conditional type, since the compiler then knows the model before it looks at what an
 * async function returns: `'open'` stays a value of the selection there instead of becoming any text.
 */
export type ShippedRecords<I> = [I] extends [never]
  ? never
  :
      | Readonly<Record<string, Values<FieldsOf<I>>>>
      | ((ctx: Ctx) => Promise<Readonly<Record<string, Values<FieldsOf<I>>>>>);

/**
 * Records an addon ships (`data/*.ts`, always) or shows itself with (`demo/*.ts`, only when demo data is wanted); a file's default export is
 * one set or a list of them. They are made when the addon is first enabled. An upgrade brings those of `data/` up to date; of `demo/` it makes what is
 * new where the addon came with demo data, and leaves alone what is there. A function is for what must be read or made first: pictures, dates from today.
 *
 * ```ts
 * export default data(Forum, { forum_help: { name: { en_US: 'Help', fr_FR: 'Aide' } } }, { noupdate: true });
 * ```
 */
export function data<I>(model: ModelRef<I>, records: ShippedRecords<I>, about: { noupdate?: boolean } = {}): DataSet {
  const made = records as DataSet['records'];
  return Object.freeze({ model: model.modelName, records: made, noupdate: about.noupdate ?? false });
}

/** What a migration file (`migrations/0002-rename-state.ts`) exports by default; run once, in order, inside the upgrade's transaction. */
export interface Migration {
  /** The addon's version that needs it, `1.2.0`. */
  readonly version: string;
  /** A sentence for the plan. */
  readonly summary: string;
  /** `db` reads and writes rows; the schema tools rename and drop safely on both databases. */
  up(tools: MigrationTools): Promise<void>;
}
/** What a migration works with. */
export interface MigrationTools {
  readonly dialect: 'sqlite' | 'postgres';
  /** knex in the migration's transaction, as `ctx.db` is in a request's. */
  readonly db: Knex;
  /** Adds a column of the new version, so that the migration can fill it; a column that is there already stays as it is. */
  addColumn(table: string, column: string, kind: ColumnKind): Promise<void>;
  renameColumn(table: string, from: string, to: string): Promise<void>;
  renameTable(from: string, to: string): Promise<void>;
  /** Renames the table of a model, by the names of models, and the records that name it: messages, attachments, external ids. */
  renameModel(from: string, to: string): Promise<void>;
  dropColumn(table: string, column: string): Promise<void>;
  dropTable(table: string): Promise<void>;
  /** Keeps the values of a column that no field uses any more. They go when the addon is uninstalled. */
  keepColumn(table: string, column: string): Promise<void>;
  /** Keeps the rows of a table that no model uses any more. They go when the addon is uninstalled. */
  keepTable(table: string): Promise<void>;
  /** An index that nothing wants any more; one that is not there is passed over. */
  dropIndex(table: string, name: string): Promise<void>;
  /** Says something about single records in the log of the process. */
  note(text: string): void;
}
/**
 * What a newer version does once to data that is there: the default export of `migrations/0002-rename-state.ts`. The version is that of `addon.ts`
 * from which on it is needed.
 */
export function migration(definition: Migration): Migration {
  return Object.freeze(definition);
}
