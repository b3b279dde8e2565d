import { type Ctx, neverKept } from '@pergola/core';
import { databaseSession, rowsOf } from '@pergola/db';
import { boundOf, type Id, modelRegistry } from '@pergola/orm';
import { nameInImage, recordNames } from './names.ts';
import {
  type ChangeKind,
  type ChangeRow,
  changeSet,
  type RecordChange,
  readChangeRows,
  SET_TABLE,
  setsOf,
} from './store.ts';

/** Which changes to list. */
export interface ChangeFilter {
  /** Login of the person. */
  readonly by?: string;
  readonly model?: string;
  readonly since?: Date;
  /** Changes of this record only, with `model`. */
  readonly id?: Id;
  /** Default 100, newest first. */
  readonly limit?: number;
}

/** A change set as shown. */
export interface ListedChange {
  readonly id: Id;
  readonly at: Date;
  readonly by: string;
  /** Route, method or command. */
  readonly from: string;
  readonly records: readonly ChangedRecord[];
  readonly undone: boolean;
  /** Whether only part of it was undone. */
  readonly isPartlyUndone: boolean;
  /** The change that this one undid, or null. */
  readonly undoOf: Id | null;
}

/** A record of a change set. */
export interface ChangedRecord {
  readonly model: string;
  readonly id: Id;
  readonly kind: 'created' | 'changed' | 'deleted';
  readonly name: string;
}

const kinds: Readonly<Record<ChangeKind, ChangedRecord['kind']>> = {
  create: 'created',
  write: 'changed',
  unlink: 'deleted',
  link: 'changed',
};

const MAX_SETS = 100;

/** Returns the latest change sets, the newest first; names of records hidden from the caller are left out. The caller checks access. */
export async function listChanges(ctx: Ctx, filter: ChangeFilter = {}): Promise<readonly ListedChange[]> {
  neverKept(ctx, 'it shows names of records of any model');
  const { database, connection } = ctx.get(databaseSession);
  const { knex, codec } = database;
  const { by, model, since, id, limit = MAX_SETS } = filter;
  const query = knex(SET_TABLE).orderBy('id', 'desc').limit(limit);
  if (by !== undefined) void query.where({ login: by });
  if (since) void query.where('at', '>=', codec.encode('datetime', since) as number);
  if (model !== undefined) void query.whereIn('id', setsOf(database, model, id));
  const sets = (await rowsOf(connection, query)).map((row) => changeSet(codec, row));
  const rowsBySet = await readChangeRows(
    database,
    connection,
    sets.map((set) => set.id),
  );
  const names = await namesOf(ctx, [...rowsBySet.values()].flat());
  const undoing = await undoStates(ctx);
  const listed = sets.map(({ id: setId, at, login, source, undoOf }): ListedChange => {
    const records = recordsOf(rowsBySet.get(setId) ?? [], names);
    return { id: setId, at, by: login, from: source, records, undoOf, ...undoing(setId) };
  });
  return id === undefined
    ? listed
    : listed.filter(({ records }) => records.some((record) => record.id === id && record.model === model));
}

/** Returns the state of change sets: undone by a set that isn't undone itself. */
async function undoStates(ctx: Ctx): Promise<(id: Id) => Pick<ListedChange, 'undone' | 'isPartlyUndone'>> {
  const { database, connection } = ctx.get(databaseSession);
  const { codec, knex } = database;
  const rows = await rowsOf(connection, knex(SET_TABLE).whereNotNull('undo_of').orderBy('id'));
  const undos = Map.groupBy(
    rows.map((row) => changeSet(codec, row)),
    ({ undoOf }) => undoOf ?? 0,
  );
  const isUndone = (id: Id): boolean => {
    const last = undos
      .get(id)
      ?.filter(({ isPartial }) => !isPartial)
      .at(-1);
    return last !== undefined && !isUndone(last.id);
  };
  const isPartlyUndone = (id: Id): boolean =>
    !isUndone(id) && (undos.get(id) ?? []).some((set) => set.isPartial && !isUndone(set.id));
  return (id) => ({ undone: isUndone(id), isPartlyUndone: isPartlyUndone(id) });
}

function recordsOf(rows: readonly ChangeRow[], names: ReadonlyMap<string, string>): ChangedRecord[] {
  const records = new Map<string, ChangedRecord>();
  for (const { model, kind, records: changes } of rows) {
    for (const { id } of changes) {
      const key = `${model} ${id}`;
      // Links of a created or deleted record are part of it.
      if (kind === 'link' && records.has(key)) continue;
      records.set(key, { model, id, kind: kinds[kind], name: names.get(key) ?? '' });
    }
  }
  return [...records.values()];
}

/** Returns the names of changed records, as `model id`. */
async function namesOf(ctx: Ctx, rows: readonly ChangeRow[]): Promise<ReadonlyMap<string, string>> {
  const registry = ctx.get(modelRegistry);
  const names = new Map<string, string>();
  for (const [name, group] of Map.groupBy(rows, ({ model }) => model)) {
    if (!registry.get(name)) continue;
    const bound = boundOf(registry.bind(ctx, name));
    const changes = group.flatMap(({ records }) => records);
    for (const { id, before, after } of changes as readonly RecordChange[]) {
      const earlier = ctx.su ? nameInImage(bound, before ?? after ?? {}) : null;
      if (earlier !== null) names.set(`${name} ${id}`, earlier);
    }
    const ids = [...new Set(changes.map(({ id }) => id))];
    for (const [id, present] of await recordNames(bound, ids)) names.set(`${name} ${id}`, present);
  }
  return names;
}
