import {
  type ColumnKind,
  type Connection,
  inListSql,
  listBinding,
  Placeholder,
  postgresTypes,
  type Row,
  type Statement,
} from '@pergola/db';
import type { Knex } from 'knex';

/** Ids by table. */
type IdsByTable = ReturnType<NonNullable<Statement['meets']>>;

/** A condition on the ids of a column. */
export interface ByIds {
  readonly column: string;
  readonly ids: readonly number[];
}

/** What the shape of a statement has of a list of ids; see `inListSql`. */
export function howMany(ids: readonly number[]): string {
  return ids.length === 1 ? 'one' : 'some';
}

/** Lets a query find the rows whose column is among a list of ids (see `howMany`), which is its value number `index`. */
export function amongIds<Q extends Knex.QueryBuilder>(
  { dialect }: Connection,
  query: Q,
  { column, ids }: ByIds,
  index: number,
): Q {
  const isOne = ids.length === 1;
  const bind = (list: readonly number[]) => (isOne ? list[0] : listBinding(dialect, list));
  const list = new Placeholder(index, 0, (value) => bind(value as readonly number[]));
  query.whereRaw(inListSql(dialect, '??', 'id', isOne), [column, list]);
  return query;
}

/** Columns by name with a placeholder for each, as knex takes values to insert, set or compare with. */
export function placeholdersFor(columns: readonly string[]): Record<string, Placeholder> {
  return Object.fromEntries(columns.map((column, index) => [column, new Placeholder(index)]));
}

/** Columns of the rows whose `column` is one of the ids. */
export async function selectRows(
  connection: Connection,
  table: string,
  columns: readonly string[],
  { column, ids }: ByIds,
): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const { known } = connection;
  const there = column === 'id' ? known?.rows(table, columns, ids) : null;
  if (there) return there;
  const epoch = known?.epoch ?? 0;
  const statement = connection.plans.statement(
    `select ${table} ${columns} ${column} ${howMany(ids)}`,
    [[ids]],
    (knex) => amongIds(connection, knex(table).select([...columns]), { column, ids }, 0),
  );
  const { rows } = await connection.query(statement);
  if (columns.includes('id')) known?.keep(epoch, table, columns, rows);
  return rows;
}

/** The ids in one column of the rows whose other column is one of the ids; each once, empty ones left out, in order. */
export async function selectIds(connection: Connection, table: string, wanted: string, by: ByIds): Promise<number[]> {
  const { column, ids } = by;
  if (ids.length === 0) return [];
  const there = column === 'id' ? connection.known?.rows(table, [wanted], ids) : null;
  if (there) return distinctIds(there.map((row) => row[wanted]));
  const statement = connection.plans.statement(`ids ${table} ${wanted} ${column} ${howMany(ids)}`, [[ids]], (knex) =>
    amongIds(connection, knex(table).distinct({ id: wanted }), by, 0)
      .whereNotNull(wanted)
      .orderByRaw('1'),
  );
  const { rows } = await connection.query(statement);
  return rows.map(({ id }) => Number(id));
}

function distinctIds(values: readonly unknown[]): number[] {
  return [...new Set(values.flatMap((value) => (value === null ? [] : Number(value))))].sort((a, b) => a - b);
}

/**
 * Inserts rows of encoded values and answers their ids in the same order. Rows go in lots of few sizes, so that statements stay prepared.
 *
 * @param refersTo the rows of other tables that they refer to
 */
export async function insertRows(
  connection: Connection,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  refersTo?: () => IdsByTable,
): Promise<number[]> {
  const ids: number[] = [];
  for (const lot of lots(rows, columns.length)) {
    const statement = connection.plans.statement(`insert ${table} ${columns} ${lot.length}`, lot, (knex) =>
      insertion(knex, table, columns, lot.length, 'returning id'),
    );
    const { rows: made } = await connection.query({
      ...statement,
      effect: { table },
      ...(refersTo && { meets: refersTo }),
    });
    // Numbers are given in the order of the rows; in which order they come back is nobody's promise.
    ids.push(...made.map(({ id }) => Number(id)).sort((a, b) => a - b));
  }
  return ids;
}

/** Inserts rows into a table between, whose columns refer to the tables of `targets`; those that are there stay as they are. */
export async function insertLinks(
  connection: Connection,
  table: string,
  columns: readonly [string, string],
  targets: readonly [string, string],
  rows: readonly (readonly [number, number])[],
): Promise<void> {
  const linked = rows.flatMap(([from, to]) => [
    { table: targets[0], id: from },
    { table: targets[1], id: to },
  ]);
  const meets = () => idsByTable(linked);
  for (const lot of lots(rows, columns.length)) {
    const statement = connection.plans.statement(`link ${table} ${columns} ${lot.length}`, lot, (knex) =>
      insertion(knex, table, columns, lot.length, 'on conflict do nothing'),
    );
    await connection.query({ ...statement, effect: { table }, meets });
  }
}

/** Not knex's own `insert`: for several rows on SQLite its text is so long that the statement would not be kept prepared. */
function insertion(knex: Knex, table: string, columns: readonly string[], rows: number, end: string): Knex.Raw {
  // A table with nothing but its id.
  if (columns.length === 0) return knex.raw(`insert into ?? default values ${end}`, [table]);
  const row = `(${columns.map(() => '?').join(', ')})`;
  const tuples = Array.from({ length: rows }, () => row).join(', ');
  const values = Array.from({ length: rows }, (_, at) => columns.map((_, index) => new Placeholder(index, at)));
  return knex.raw(`insert into ?? (??) values ${tuples} ${end}`, [table, [...columns], ...values.flat()]);
}

/** Each id once, by table. */
export function idsByTable(rows: readonly { readonly table: string; readonly id: number }[]): IdsByTable {
  const grouped = Map.groupBy(rows, ({ table }) => table);
  return new Map([...grouped].map(([table, some]) => [table, [...new Set(some.map(({ id }) => id))]]));
}

/** Sets columns to encoded values in the rows with these ids; `kinds` of the columns, `refersTo` as in `insertRows`. */
export async function updateRows(
  connection: Connection,
  table: string,
  values: ReadonlyMap<string, unknown>,
  ids: readonly number[],
  { kinds, refersTo }: { kinds?: ReadonlyMap<string, ColumnKind>; refersTo?: () => IdsByTable } = {},
): Promise<number> {
  if (values.size === 0 || ids.length === 0) return 0;
  const columns = [...values.keys()];
  const sources = [[...values.values(), ids]];
  const statement = connection.plans.statement(`update ${table} ${columns} ${howMany(ids)}`, sources, (knex) =>
    amongIds(connection, knex(table).update(placeholdersFor(columns)), { column: 'id', ids }, columns.length),
  );
  const effect = { table, set: new Map(ids.map((id) => [id, values])), ...(kinds ? { kinds } : {}) };
  const meets = () => {
    const others = refersTo?.();
    return new Map([...(others ?? []), [table, [...ids, ...(others?.get(table) ?? [])]]]);
  };
  return (await connection.query({ ...statement, effect, meets })).changes;
}

/** Deletes the rows whose columns are among the ids (all conditions hold). */
export async function deleteRows(connection: Connection, table: string, where: readonly ByIds[]): Promise<number> {
  if (where.some(({ ids }) => ids.length === 0)) return 0;
  const shape = where.map(({ column, ids }) => `${column} ${howMany(ids)}`);
  const sources = [where.map(({ ids }) => ids)];
  const statement = connection.plans.statement(`delete ${table} ${shape}`, sources, (knex) => {
    const query = knex(table).delete();
    for (const [index, by] of where.entries()) amongIds(connection, query, by, index);
    return query;
  });
  const meets = () => new Map([[table, where.find(({ column }) => column === 'id')?.ids ?? []]]);
  return (await connection.query({ ...statement, meets })).changes;
}

const lotSizes = [64, 16, 4, 1];
/** Both databases take more, but not by much. */
const mostBindings = 30_000;

function* lots<R>(rows: readonly R[], width: number): Generator<readonly R[]> {
  const most = width === 0 ? 1 : Math.max(1, Math.floor(mostBindings / width));
  for (let at = 0; at < rows.length; ) {
    const left = Math.min(rows.length - at, most);
    const size = width === 0 ? 1 : (lotSizes.find((fits) => fits <= left) ?? 1);
    yield rows.slice(at, at + size);
    at += size;
  }
}

/** A list in parts of at most `size`. */
export function batches<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}

/** Sets columns of rows to values of their own: encoded values by column by id. `isAhead` as in `Statement`. */
export async function updateEach(
  connection: Connection,
  table: string,
  updates: ReadonlyMap<number, ReadonlyMap<string, unknown>>,
  { kinds, isAhead = false }: { kinds: ReadonlyMap<string, ColumnKind>; isAhead?: boolean },
): Promise<void> {
  const sameColumns = Map.groupBy(updates, ([, values]) => [...values.keys()].sort().join(','));
  for (const group of sameColumns.values()) {
    const columns = [...(group[0]?.[1].keys() ?? [])].sort();
    if (columns.length === 0) continue;
    for (const lot of lots(group, columns.length + 1)) {
      const sources = lot.map(([id, values]) => [id, ...columns.map((column) => values.get(column))]);
      // Where PostgreSQL cannot tell the types from the columns.
      const types = ['id' as const, ...columns.map((column) => kinds.get(column) ?? 'text')];
      const casts = types.map((kind) => (connection.dialect === 'sqlite' ? '' : `::${postgresTypes[kind]}`));
      const shape = `each ${table} ${columns} ${casts} ${lot.length}`;
      const statement = connection.plans.statement(shape, sources, (knex) => {
        const sets = columns.map((_, position) => `?? = fresh.column${position + 2}`).join(', ');
        const rows = lot.map(() => `(${casts.map((cast) => `?${cast}`).join(', ')})`).join(', ');
        return knex.raw(`update ?? set ${sets} from (values ${rows}) as fresh where ?? = fresh.column1`, [
          table,
          ...columns,
          ...lot.flatMap((_, row) => casts.map((_, index) => new Placeholder(index, row))),
          `${table}.id`,
        ]);
      });
      const meets = () => new Map([[table, lot.map(([id]) => id)]]);
      await connection.query({ ...statement, effect: { table, set: new Map(lot), kinds }, meets, isAhead });
    }
  }
}
