import { isDeepStrictEqual } from 'node:util';
import { type Codec, codecFor, type Row, type Transaction } from '@pergola/db';
import {
  type ChangeRecorder,
  type CompiledField,
  type CompiledModel,
  type ExternalId,
  type Id,
  type LinkedPair,
  recordedFields,
  selectIds,
  selectRows,
} from '@pergola/orm';
import { MANY, storePrevious } from './bulk.ts';
import { fieldsByColumn, type Image, imageOf, imageOfRow, imageValue } from './image.ts';
import { type ChangeKind, type ChangeRow, type RecordChange, ROW_TABLE, storeChangeSet } from './store.ts';

interface Change {
  kind: ChangeKind;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** Created and deleted again. */
  isGone: boolean;
  isDependent: boolean;
  externalIds: readonly ExternalId[];
}

/** A link as it was before the transaction, and after it. */
interface LinkChange {
  readonly pair: LinkedPair;
  readonly wasLinked: boolean;
  isLinked: boolean;
}

/** Who changed something, and by what. */
export interface Author {
  readonly userId: Id | null;
  readonly login: string;
  readonly source: string;
  /** Chosen by the client, to undo the change; null without one. */
  readonly clientKey: string | null;
}

/** Change set that a transaction undoes. */
export interface Undoing {
  readonly setId: Id;
  readonly isPartial: boolean;
}

/** Collects the changes of one transaction, and stores them as one change set before its commit: each record once, from its first value to its last. */
export class TransactionRecorder implements ChangeRecorder {
  readonly #transaction: Transaction;
  readonly #codec: Codec;
  #author: Author;
  readonly #records = new Map<CompiledModel, Map<Id, Change>>();
  readonly #links = new Map<CompiledField, Map<string, LinkChange>>();
  /** Rows of many records, stored when they changed. */
  readonly #earlierRows = new Map<Id, CompiledModel>();
  /** Set when the transaction undoes a change set. */
  undoing: Undoing | null = null;

  constructor(transaction: Transaction, author: Author) {
    this.#transaction = transaction;
    this.#codec = codecFor(transaction.dialect);
    this.#author = author;
    transaction.beforeCommit(() => this.#store());
  }

  /** Names the call that changes records, and the key by which its client may undo them. */
  name(call: Partial<Pick<Author, 'source' | 'clientKey'>>): void {
    this.#author = { ...this.#author, ...call };
  }

  created(
    model: CompiledModel,
    ids: readonly Id[],
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): void {
    const fields = recordedFields(model);
    const records = this.#of(model);
    for (const [index, id] of ids.entries()) {
      const row = rows[index] ?? [];
      const after = imageOf(this.#codec, fields, (column) => row[columns.indexOf(column)]);
      const earlier = records.get(id);
      // Restored in the transaction that deleted it.
      if (earlier?.kind === 'unlink') records.set(id, { ...earlier, kind: 'write', after });
      else records.set(id, { ...emptyChange(), kind: 'create', after });
    }
  }

  async updating(
    model: CompiledModel,
    ids: readonly Id[],
    columns: readonly string[],
    values: ReadonlyMap<string, unknown>,
  ): Promise<boolean> {
    // Earlier changes of these records have to be combined with this one.
    if (ids.length < MANY || this.#records.has(model)) return false;
    const recorded = recordedFields(model);
    const fields = new Map([...recorded].filter(([column]) => columns.includes(column)));
    const after = imageOf(this.#codec, fields, (column) => values.get(column));
    const row = await storePrevious(this.#transaction, model, ids, fields, { values, after });
    if (row !== null) this.#earlierRows.set(row, model);
    return true;
  }

  updated(model: CompiledModel, before: readonly Row[], after: (id: Id) => ReadonlyMap<string, unknown>): void {
    const fields = recordedFields(model);
    const records = this.#of(model);
    for (const row of before) {
      const id = Number(row.id);
      const change = records.get(id) ?? emptyChange();
      records.set(id, change);
      for (const [column, value] of after(id)) {
        const field = fields.get(column);
        if (!field) continue;
        if (change.kind === 'write' && !(column in change.before))
          change.before[column] = imageValue(this.#codec, field.kind, row[column]);
        change.after[column] = imageValue(this.#codec, field.kind, value);
      }
    }
  }

  deleted(model: CompiledModel, rows: readonly Row[], { isDependent }: { readonly isDependent: boolean }): void {
    const fields = fieldsByColumn(model);
    const records = this.#of(model);
    for (const row of rows) {
      const id = Number(row.id);
      const earlier = records.get(id);
      // Kept, because a savepoint may take back the deletion.
      if (earlier?.kind === 'create') earlier.isGone = true;
      else {
        // A deletion that a savepoint took back has recorded all first values.
        const before =
          earlier?.kind === 'unlink' ? earlier.before : { ...imageOfRow(this.#codec, fields, row), ...earlier?.before };
        records.set(id, { ...emptyChange(), ...earlier, kind: 'unlink', before, after: {}, isDependent });
      }
    }
  }

  unnamed(model: CompiledModel, externalIds: readonly ExternalId[]): void {
    const records = this.#of(model);
    for (const [id, named] of Map.groupBy(externalIds, ({ recordId }) => recordId)) {
      if (id === null) continue;
      records.set(id, { ...(records.get(id) ?? emptyChange()), externalIds: named });
    }
  }

  linked(field: CompiledField, added: readonly LinkedPair[], removed: readonly LinkedPair[]): void {
    const links = this.#links.get(field) ?? new Map<string, LinkChange>();
    this.#links.set(field, links);
    const note = (pair: LinkedPair, isLinked: boolean): void => {
      const key = pair.join();
      const change = links.get(key) ?? { pair, wasLinked: !isLinked, isLinked };
      change.isLinked = isLinked;
      links.set(key, change);
    };
    for (const pair of removed) note(pair, false);
    for (const pair of added) note(pair, true);
  }

  #of(model: CompiledModel): Map<Id, Change> {
    const records = this.#records.get(model) ?? new Map<Id, Change>();
    this.#records.set(model, records);
    return records;
  }

  async #store(): Promise<void> {
    if (this.#transaction.hasRolledBack) await this.#verify();
    const rows = this.#rows();
    const earlierRows = [...this.#earlierRows.keys()];
    if (rows.length + earlierRows.length === 0) return;
    await storeChangeSet(this.#transaction, { ...this.#author, undoing: this.undoing }, rows, earlierRows);
  }

  /** Links are stored with other changes of their model, so that a form with tags takes one row. */
  #rows(): ChangeRow[] {
    const rows = [...this.#recordRows()];
    for (const { model, records } of this.#linkRows()) {
      const index = rows.findIndex((row) => row.model === model);
      const row = rows[index];
      if (row) rows[index] = { ...row, records: [...row.records, ...records] };
      else rows.push({ model, kind: 'write', records });
    }
    return rows;
  }

  *#recordRows(): Generator<ChangeRow> {
    for (const [model, records] of this.#records) {
      const byKind = Map.groupBy(records, ([, { kind }]) => kind);
      for (const [kind, changes] of byKind) {
        const records = changes.flatMap(([id, change]) => stored(id, change));
        if (records.length > 0) yield { model: model.name, kind, records };
      }
    }
  }

  *#linkRows(): Generator<ChangeRow> {
    for (const [field, links] of this.#links) {
      const changed = [...links.values()].filter(({ wasLinked, isLinked }) => wasLinked !== isLinked);
      const byRecord = Map.groupBy(changed, ({ pair: [from] }) => from);
      const records = [...byRecord].map(([id, changes]): RecordChange => {
        const targets = (isLinked: boolean) =>
          changes.flatMap((change) => (change.isLinked === isLinked ? change.pair[1] : []));
        return { id, field: field.name, added: targets(true), removed: targets(false) };
      });
      if (records.length > 0) yield { model: field.model, kind: 'link', records };
    }
  }

  /** Forgets rows that a savepoint took back, and later changes of their models: values before those may have been taken back as well. */
  async #forgetRolledBackRows(): Promise<void> {
    if (this.#earlierRows.size === 0) return;
    const ids = [...this.#earlierRows.keys()];
    const present = await selectIds(this.#transaction, ROW_TABLE, 'id', { column: 'id', ids });
    for (const id of ids) {
      const model = this.#earlierRows.get(id);
      if (present.includes(id) || !model) continue;
      this.#earlierRows.delete(id);
      this.#records.delete(model);
    }
  }

  /** Reads the present values, since a savepoint took back some of the changes. */
  async #verify(): Promise<void> {
    const transaction = this.#transaction;
    await this.#forgetRolledBackRows();
    for (const [model, records] of this.#records) {
      const fields = recordedFields(model);
      const ids = [...records.keys()];
      const rows = await selectRows(transaction, model.table, ['id', ...fields.keys()], { column: 'id', ids });
      const present = new Map(rows.map((row) => [Number(row.id), row]));
      for (const [id, change] of records) {
        const row = present.get(id);
        if (!row) {
          if (change.kind !== 'unlink') records.delete(id);
          continue;
        }
        const after = imageOfRow(this.#codec, fields, row);
        change.isGone = false;
        if (change.kind === 'unlink') {
          const before = Object.fromEntries(
            [...fields.keys()].map((column) => [column, change.before[column] ?? null]),
          );
          records.set(id, { ...change, kind: 'write', before, after });
        } else change.after = change.kind === 'create' ? after : only(after, Object.keys(change.before));
      }
    }
    for (const [{ relation }, links] of this.#links) {
      if (relation?.kind !== 'many2many') continue;
      const { table, from, toColumn } = relation;
      const ids = [...new Set([...links.values()].map(({ pair }) => pair[0]))];
      const rows = await selectRows(transaction, table, [from, toColumn], { column: from, ids });
      const present = new Set(rows.map((row) => `${row[from]},${row[toColumn]}`));
      for (const [key, change] of links) change.isLinked = present.has(key);
    }
  }
}

function emptyChange(): Change {
  return { kind: 'write', before: {}, after: {}, isGone: false, isDependent: false, externalIds: [] };
}

/** Returns a change in its stored form, or nothing if the values are the same as before. */
function stored(id: Id, { kind, before, after, isGone, isDependent, externalIds }: Change): RecordChange[] {
  if (isGone) return [];
  switch (kind) {
    case 'create':
      return [{ id, after: compact(after) }];
    case 'unlink':
      return [
        {
          id,
          before: compact(before),
          ...(isDependent && { isDependent }),
          ...(externalIds.length > 0 && { externalIds }),
        },
      ];
    default: {
      const columns = Object.keys(before).filter(
        (column) => !isDeepStrictEqual(before[column] ?? null, after[column] ?? null),
      );
      return columns.length === 0 ? [] : [{ id, before: only(before, columns), after: only(after, columns) }];
    }
  }
}

function compact(image: Image): Image {
  return Object.fromEntries(Object.entries(image).filter(([, value]) => value !== null));
}

function only(image: Image, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, image[column] ?? null]));
}
