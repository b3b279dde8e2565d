import {
  type ColumnKind,
  type Connection,
  inListSql,
  listBinding,
  Placeholder,
  postgresTypes,
  type Result,
  type Row,
  type Statement,
} from '@pergola/db';
import type { Knex } from 'knex';

/** Ids by table. */
type IdsByTable = ReturnType<NonNullable<Statement['meets']>>;

/** A condition on the ids in a column. */
export interface ByIds {
  readonly column: string;
  readonly ids: readonly number[];
}

/** The part of a statement's shape that depends on a list of ids; see `inListSql`. */
export function howMany(ids: readonly number[]): string {
  return ids.length === 1 ? 'one' : 'some';
}

/** Adds a condition on a list of ids to a query (see `howMany`); the list is value number `index`. */
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

/** Returns a placeholder for each column, in knex's form of values to insert, set or compare. */
export function placeholdersFor(columns: readonly string[]): Record<string, Placeholder> {
  return Object.fromEntries(columns.map((column, index) => [column, new Placeholder(index)]));
}

/** Reads columns of the rows whose `column` is one of the ids. */
export async function selectRows(
  connection: Connection,
  table: string,
  columns: readonly string[],
  { column, ids }: ByIds,
): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const { known: identityMap } = connection;
  const cachedRows = column === 'id' ? identityMap?.rows(table, columns, ids) : null;
  if (cachedRows) return cachedRows;
  const epoch = identityMap?.epoch ?? 0;
  const statement = connection.plans.statement(
    `select ${table} ${columns} ${column} ${howMany(ids)}`,
    [[ids]],
    (knex) => amongIds(connection, knex(table).select([...columns]), { column, ids }, 0),
  );
  const { rows } = await connection.query(statement);
  if (columns.includes('id')) identityMap?.keep(epoch, table, columns, rows);
  return rows;
}

/** Returns the distinct ids in one column of the rows whose other column is one of the ids, sorted and without nulls. */
export async function selectIds(
  connection: Connection,
  table: string,
  resultColumn: string,
  filter: ByIds,
): Promise<number[]> {
  const { column, ids } = filter;
  if (ids.length === 0) return [];
  const cachedRows = column === 'id' ? connection.known?.rows(table, [resultColumn], ids) : null;
  if (cachedRows) return distinctIds(cachedRows.map((row) => row[resultColumn]));
  const statement = connection.plans.statement(
    `ids ${table} ${resultColumn} ${column} ${howMany(ids)}`,
    [[ids]],
    (knex) =>
      amongIds(connection, knex(table).distinct({ id: resultColumn }), filter, 0)
        .whereNotNull(resultColumn)
        .orderByRaw('1'),
  );
  const { rows } = await connection.query(statement);
  return rows.map(({ id }) => Number(id));
}

function distinctIds(values: readonly unknown[]): number[] {
  return [...new Set(values.flatMap((value) => (value === null ? [] : Number(value))))].sort((a, b) => a - b);
}

/**
 * Inserts rows of encoded values and returns their ids in the same order. Rows are inserted in batches of a few sizes, so that statements
 * stay prepared.
 *
 * @param refersTo returns the rows of other tables that the new rows refer to
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
    const { rows: inserted } = await connection.query({
      ...statement,
      effect: { table },
      ...(refersTo && { meets: refersTo }),
    });
    // Ids are assigned in the order of the rows, but may be returned in any order.
    ids.push(...inserted.map(({ id }) => Number(id)).sort((a, b) => a - b));
  }
  return ids;
}

/** Inserts rows into a join table whose columns refer to the tables of `targets`; ignores existing links. */
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

/** Replaces knex's `insert`, whose SQL for several rows on SQLite is too long to be cached as a prepared statement. */
function insertion(knex: Knex, table: string, columns: readonly string[], rows: number, end: string): Knex.Raw {
  // A table with only an id.
  if (columns.length === 0) return knex.raw(`insert into ?? default values ${end}`, [table]);
  const row = `(${columns.map(() => '?').join(', ')})`;
  const tuples = Array.from({ length: rows }, () => row).join(', ');
  const values = Array.from({ length: rows }, (_, rowIndex) =>
    columns.map((_, index) => new Placeholder(index, rowIndex)),
  );
  return knex.raw(`insert into ?? (??) values ${tuples} ${end}`, [table, [...columns], ...values.flat()]);
}

/** Returns the distinct ids by table. */
export function idsByTable(rows: readonly { readonly table: string; readonly id: number }[]): IdsByTable {
  const grouped = Map.groupBy(rows, ({ table }) => table);
  return new Map([...grouped].map(([table, tableRows]) => [table, [...new Set(tableRows.map(({ id }) => id))]]));
}

/** Sets columns to encoded values in the rows with these ids. `kinds` are the columns' kinds; `refersTo` is explained at `insertRows`. */
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
    const references = refersTo?.();
    return new Map([...(references ?? []), [table, [...ids, ...(references?.get(table) ?? [])]]]);
  };
  return (await connection.query({ ...statement, effect, meets })).changes;
}

/** Deletes the rows that meet all conditions. Returns their number, and these columns of them. */
export async function deleteRows(
  connection: Connection,
  table: string,
  where: readonly ByIds[],
  returning: readonly string[] = [],
): Promise<Result> {
  if (where.some(({ ids }) => ids.length === 0)) return { rows: [], changes: 0 };
  const shape = where.map(({ column, ids }) => `${column} ${howMany(ids)}`);
  const sources = [where.map(({ ids }) => ids)];
  const statement = connection.plans.statement(`delete ${table} ${shape} ${returning}`, sources, (knex) => {
    const query = knex(table).delete();
    for (const [index, filter] of where.entries()) amongIds(connection, query, filter, index);
    // knex adds `returning` to deletions only on PostgreSQL.
    return returning.length === 0 ? query : knex.raw('? returning ??', [query, [...returning]]);
  });
  const meets = () => new Map([[table, where.find(({ column }) => column === 'id')?.ids ?? []]]);
  return connection.query({ ...statement, meets });
}

const lotSizes = [64, 16, 4, 1];
/** Slightly below the limits of both databases. */
const maxBindings = 30_000;

function* lots<R>(rows: readonly R[], width: number): Generator<readonly R[]> {
  const maxRows = width === 0 ? 1 : Math.max(1, Math.floor(maxBindings / width));
  for (let offset = 0; offset < rows.length; ) {
    const remaining = Math.min(rows.length - offset, maxRows);
    const size = width === 0 ? 1 : (lotSizes.find((fits) => fits <= remaining) ?? 1);
    yield rows.slice(offset, offset + size);
    offset += size;
  }
}

/** Splits a list into parts of at most `size`. */
export function batches<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let offset = 0; offset < list.length; offset += size) parts.push(list.slice(offset, offset + size));
  return parts;
}

/** Sets columns to different values per row: encoded values by column by id. `isAhead` as in `Statement`. */
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
      // PostgreSQL can't infer the types of `values` from the columns.
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
