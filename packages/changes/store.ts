import { type Codec, type Connection, codecFor, type Database, type Row, rowsOf, type Transaction } from '@pergola/db';
import { hasQueuedMail } from '@pergola/jobs';
import { type ExternalId, type Id, insertRows } from '@pergola/orm';
import type { Image } from './image.ts';
import type { Author, Undoing } from './recorder.ts';

export const SET_TABLE = 'core_change_set';
const ROW_TABLE = 'core_change_row';

/** `link`: links of a many2many field. */
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

/** Stores the changes of the transaction. */
export async function storeChangeSet(
  transaction: Transaction,
  { userId, login, source, undoing }: Author & { readonly undoing: Undoing | null },
  rows: readonly ChangeRow[],
): Promise<void> {
  const codec = codecFor(transaction.dialect);
  const values = {
    at: codec.encode('datetime', new Date()),
    user_id: userId,
    login,
    source,
    undo_of: undoing?.setId ?? null,
    is_partial: codec.encode('boolean', undoing?.isPartial ?? false),
    sends_mail: codec.encode('boolean', hasQueuedMail(transaction)),
  };
  const [setId] = await insertRows(transaction, SET_TABLE, Object.keys(values), [Object.values(values)]);
  const columns = ['set_id', 'model', 'kind', 'first_id', 'last_id', 'records'];
  await insertRows(
    transaction,
    ROW_TABLE,
    columns,
    rows.flatMap((row) => parts(row).map((part) => [setId, ...encodedRow(codec, part)])),
  );
  transaction.touch(SET_TABLE);
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

/** Returns the changes of a set, in the order of their storage. */
export async function readChangeRows(
  database: Database,
  connection: Connection,
  id: Id,
): Promise<readonly ChangeRow[]> {
  const rows = await rowsOf(connection, database.knex(ROW_TABLE).where({ set_id: id }).orderBy('id'));
  return rows.map((row) => changeRow(database.codec, row));
}

export function changeSet(codec: Codec, row: Row): ChangeSet {
  return {
    id: Number(row.id),
    at: codec.decode('datetime', row.at) as Date,
    userId: row.user_id === null ? null : Number(row.user_id),
    login: String(row.login),
    source: String(row.source),
    undoOf: row.undo_of === null ? null : Number(row.undo_of),
    isPartial: codec.decode('boolean', row.is_partial) === true,
    sendsMail: codec.decode('boolean', row.sends_mail) === true,
  };
}

export function changeRow(codec: Codec, row: Row): ChangeRow {
  return {
    model: String(row.model),
    kind: String(row.kind) as ChangeKind,
    records: codec.decode('json', row.records) as readonly RecordChange[],
  };
}
