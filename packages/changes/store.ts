import {
  type Codec,
  type Connection,
  changesOf,
  codecFor,
  type Database,
  Placeholder,
  type Row,
  rowsOf,
  type Transaction,
} from '@pergola/db';
import { hasQueuedMail } from '@pergola/jobs';
import { type ExternalId, type Id, insertRows, updateRows } from '@pergola/orm';
import type { Knex } from 'knex';
import type { Image } from './image.ts';
import type { Author, Undoing } from './recorder.ts';

export const SET_TABLE = 'core_change_set';
export const ROW_TABLE = 'core_change_row';

/** `link`: links of a many2many field, which are stored with other changes. */
export type ChangeKind = 'create' | 'write' | 'unlink' | 'link';

/** Stored change of one record. */
export interface RecordChange {
  readonly id: Id;
  readonly before?: Image;
  readonly after?: Image;
  /** Deleted as part of another record, whatever the caller's rights on it. */
  readonly isDependent?: boolean;
  readonly externalIds?: readonly ExternalId[];
  /** Links: the field, and the targets. */
  readonly field?: string;
  readonly added?: readonly Id[];
  readonly removed?: readonly Id[];
}

/** Changes of one kind to records of a model. */
export interface ChangeRow {
  readonly model: string;
  readonly kind: ChangeKind;
  readonly records: readonly RecordChange[];
}

/** A change set without its rows. */
export interface ChangeSet extends Author {
  readonly id: Id;
  readonly at: Date;
  readonly undoOf: Id | null;
  readonly isPartial: boolean;
  readonly sendsMail: boolean;
}

/** Records in one row, so that a record's changes are found without reading those of many others. */
const BATCH = 250;

/**
 * Stores the changes of the transaction.
 *
 * @param earlierRows rows stored before, which have no set yet
 */
export async function storeChangeSet(
  transaction: Transaction,
  { userId, login, source, clientKey, undoing }: Author & { readonly undoing: Undoing | null },
  rows: readonly ChangeRow[],
  earlierRows: readonly Id[],
): Promise<void> {
  const codec = codecFor(transaction.dialect);
  const [first, ...others] = rows.flatMap(parts);
  const values = [
    codec.encode('datetime', new Date()),
    userId,
    login,
    source,
    clientKey,
    undoing?.setId ?? null,
    codec.encode('boolean', undoing?.isPartial ?? false),
    codec.encode('boolean', hasQueuedMail(transaction)),
    ...(first ? encodedRow(codec, first) : rowColumns.map(() => null)),
  ];
  transaction.touch(SET_TABLE);
  if (others.length === 0 && earlierRows.length === 0) {
    await insertAhead(transaction, values);
    return;
  }
  const [setId] = await insertRows(transaction, SET_TABLE, setColumns, [values]);
  const encoded = others.map((part) => [setId, ...encodedRow(codec, part)]);
  await insertRows(transaction, ROW_TABLE, ['set_id', ...rowColumns], encoded);
  if (setId !== undefined) await updateRows(transaction, ROW_TABLE, new Map([['set_id', setId]]), earlierRows);
}

const rowColumns = ['model', 'kind', 'first_id', 'last_id', 'records'] as const;
const setColumns = [
  'at',
  'user_id',
  'login',
  'source',
  'client_key',
  'undo_of',
  'is_partial',
  'sends_mail',
  ...rowColumns,
];

/** Inserts a set whose id isn't needed: PostgreSQL receives it along with the commit. */
async function insertAhead(transaction: Transaction, values: readonly unknown[]): Promise<void> {
  const statement = transaction.plans.statement(`insert ${SET_TABLE}`, [values], (knex) =>
    knex.raw(`insert into ?? (??) values (${setColumns.map(() => '?').join(', ')})`, [
      SET_TABLE,
      setColumns,
      ...setColumns.map((_, index) => new Placeholder(index)),
    ]),
  );
  await transaction.query({ ...statement, effect: { table: SET_TABLE }, isAhead: true });
}

function parts({ records, ...row }: ChangeRow): ChangeRow[] {
  if (records.length <= BATCH) return [{ ...row, records }];
  const sorted = records.toSorted((a, b) => a.id - b.id);
  return Array.from({ length: Math.ceil(sorted.length / BATCH) }, (_, index) => ({
    ...row,
    records: sorted.slice(index * BATCH, (index + 1) * BATCH),
  }));
}

function encodedRow(codec: Codec, { model, kind, records }: ChangeRow): unknown[] {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { id } of records) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return [model, kind, first, last, codec.encode('json', records)];
}

/** Returns a change set, or null. */
export async function readChangeSet(database: Database, connection: Connection, id: Id): Promise<ChangeSet | null> {
  const [row] = await rowsOf(connection, database.knex(SET_TABLE).where({ id }));
  return row ? changeSet(database.codec, row) : null;
}

/** Returns the id of a user's change set with a client's key, or null. */
export async function setOfClient(
  { knex }: Database,
  connection: Connection,
  userId: Id,
  key: string,
): Promise<Id | null> {
  const sets = knex(SET_TABLE).select('id').where({ client_key: key, user_id: userId });
  const [row] = await rowsOf(connection, sets.orderBy('id', 'desc').limit(1));
  return row ? Number(row.id) : null;
}

/** Returns the changes of sets, by set, in the order in which they were made. */
export async function readChangeRows(
  { knex, codec }: Database,
  connection: Connection,
  setIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly ChangeRow[]>> {
  const columns = knex.raw('??', [[...rowColumns]]);
  const first = knex(SET_TABLE)
    .select('id as set_id', columns)
    .whereIn('id', [...setIds])
    .whereNotNull('model');
  const others = knex(ROW_TABLE)
    .select('set_id', columns)
    .whereIn('set_id', [...setIds])
    .orderBy('id');
  const rows = [...(await rowsOf(connection, first)), ...(await rowsOf(connection, others))];
  const bySet = Map.groupBy(rows, ({ set_id }) => Number(set_id));
  const decoded = (setRows: readonly Row[]): ChangeRow[] => {
    // Rows with many records were stored as they changed, the others at the end.
    const isEarly = (row: Row): boolean => 'columns' in (codec.decode('json', row.records) as object);
    const [early, late] = [setRows.filter(isEarly), setRows.filter((row) => !isEarly(row))];
    return [...early, ...late].flatMap((row) => changeRows(codec, row));
  };
  return new Map([...bySet].map(([id, setRows]) => [id, decoded(setRows)]));
}

/** Returns a query for the ids of the sets that changed a model, or one of its records. */
export function setsOf({ knex }: Database, model: string, id?: Id) {
  const matching = (query: Knex.QueryBuilder) => {
    void query.where({ model });
    if (id !== undefined) void query.where('first_id', '<=', id).where('last_id', '>=', id);
    return query;
  };
  return matching(knex(SET_TABLE).select('id')).union([matching(knex(ROW_TABLE).select('set_id'))]);
}

export function changeSet(codec: Codec, row: Row): ChangeSet {
  return {
    id: Number(row.id),
    at: codec.decode('datetime', row.at) as Date,
    userId: row.user_id === null ? null : Number(row.user_id),
    login: String(row.login),
    source: String(row.source),
    clientKey: row.client_key === null ? null : String(row.client_key),
    undoOf: row.undo_of === null ? null : Number(row.undo_of),
    isPartial: codec.decode('boolean', row.is_partial) === true,
    sendsMail: codec.decode('boolean', row.sends_mail) === true,
  };
}

/** Records as stored: one by one, or many with the same new values; see `storePrevious`. */
type StoredRecords =
  | readonly RecordChange[]
  | {
      readonly columns: readonly string[];
      readonly after: Image;
      readonly before: readonly (readonly [Id, ...unknown[]])[];
    };

/** Returns the changes in a row, with links separate from the changes they are stored with. */
function changeRows(codec: Codec, row: Row): ChangeRow[] {
  const [model, kind] = [String(row.model), String(row.kind) as ChangeKind];
  const [records, links] = [false, true].map((isLink) =>
    storedRecords(codec, row).filter(({ field }) => (field !== undefined) === isLink),
  );
  const rows: ChangeRow[] = [
    { model, kind, records: records ?? [] },
    { model, kind: 'link', records: links ?? [] },
  ];
  return rows.filter((part) => part.records.length > 0);
}

function storedRecords(codec: Codec, row: Row): readonly RecordChange[] {
  return recordsOf(codec.decode('json', row.records) as StoredRecords);
}

function recordsOf(records: StoredRecords): readonly RecordChange[] {
  if (!('columns' in records)) return records;
  const { columns, after } = records;
  return records.before.map(([id, ...values]) => ({
    id,
    before: Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null])),
    after,
  }));
}

/** Deletes the recorded values of a model's records. Returns how many changes they were part of. */
export async function eraseRecords(
  { knex, codec }: Database,
  transaction: Transaction,
  model: string,
  ids: ReadonlySet<Id>,
): Promise<number> {
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  let count = 0;
  for (const table of [SET_TABLE, ROW_TABLE]) {
    const query = knex(table).where({ model }).where('first_id', '<=', last).where('last_id', '>=', first);
    for (const row of await rowsOf(transaction, query)) {
      const records = storedRecords(codec, row);
      const remaining = records.filter(({ id }) => !ids.has(id));
      if (remaining.length === records.length) continue;
      count += records.length - remaining.length;
      const update = knex(table).where({ id: Number(row.id) });
      await changesOf(transaction, update.update({ records: codec.encode('json', remaining) as string }));
    }
  }
  if (count > 0) transaction.touch(SET_TABLE);
  return count;
}
