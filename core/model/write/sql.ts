import { quoted } from '../../db/schema/names.ts';
import type { ColumnKind, Connection, Dialect, Row, Statement } from '../../db/types.ts';

/** Ids by table. */
type IdsByTable = ReturnType<NonNullable<Statement['meets']>>;

/** Collects the bindings of one statement and answers the placeholders that stand for them. */
export class Bindings {
  readonly values: unknown[] = [];
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The placeholder of one value, as the codec made it. */
  add(value: unknown): string {
    this.values.push(value);
    return this.#dialect === 'sqlite' ? '?' : `$${this.values.length}`;
  }

  /** What follows a column so that it equals any of the ids; one binding whatever their number, so that the text stays the same. */
  anyId(ids: readonly number[]): string {
    return this.#dialect === 'sqlite'
      ? `in (select value from json_each(${this.add(JSON.stringify(ids))}))`
      : `= any(${this.add([...ids])}::bigint[])`;
  }
}

/** A condition on the ids of a column. */
interface ByIds {
  readonly column: string;
  readonly ids: readonly number[];
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
  const bindings = new Bindings(connection.dialect);
  const sql = `select ${columns.map(quoted).join(', ')} from ${quoted(table)} where ${quoted(column)} ${bindings.anyId(ids)}`;
  const { rows } = await connection.query({ sql, bindings: bindings.values });
  if (columns.includes('id')) known?.keep(epoch, table, columns, rows);
  return rows;
}

/** The ids in one column of the rows whose other column is one of the ids; each once, empty ones left out, in order. */
export async function selectIds(connection: Connection, table: string, wanted: string, by: ByIds): Promise<number[]> {
  if (by.ids.length === 0) return [];
  const there = by.column === 'id' ? connection.known?.rows(table, [wanted], by.ids) : null;
  if (there) return distinctIds(there.map((row) => row[wanted]));
  const bindings = new Bindings(connection.dialect);
  const name = quoted(wanted);
  const sql = `select distinct ${name} as "id" from ${quoted(table)} where ${quoted(by.column)} ${bindings.anyId(by.ids)} and ${name} is not null order by 1`;
  const { rows } = await connection.query({ sql, bindings: bindings.values });
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
    const bindings = new Bindings(connection.dialect);
    const { rows: made } = await connection.query({
      sql: `${insertSql(table, columns, lot, bindings)} returning "id"`,
      bindings: bindings.values,
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
    const bindings = new Bindings(connection.dialect);
    await connection.query({
      sql: `${insertSql(table, columns, lot, bindings)} on conflict do nothing`,
      bindings: bindings.values,
      effect: { table },
      meets,
    });
  }
}

function insertSql(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  bindings: Bindings,
): string {
  const into = `insert into ${quoted(table)}`;
  // A table with nothing but its id.
  if (columns.length === 0) return `${into} default values`;
  const tuples = rows.map((row) => `(${row.map((value) => bindings.add(value)).join(', ')})`);
  return `${into} (${columns.map(quoted).join(', ')}) values ${tuples.join(', ')}`;
}

/** Each id once, by table. */
export function idsByTable(rows: readonly { readonly table: string; readonly id: number }[]): IdsByTable {
  const grouped = Map.groupBy(rows, ({ table }) => table);
  return new Map([...grouped].map(([table, some]) => [table, [...new Set(some.map(({ id }) => id))]]));
}

/** Sets columns to encoded values in the rows with these ids; `refersTo` as in `insertRows`. */
export async function updateRows(
  connection: Connection,
  table: string,
  values: ReadonlyMap<string, unknown>,
  ids: readonly number[],
  refersTo?: () => IdsByTable,
): Promise<number> {
  if (values.size === 0 || ids.length === 0) return 0;
  const bindings = new Bindings(connection.dialect);
  const sets = [...values].map(([name, value]) => `${quoted(name)} = ${bindings.add(value)}`);
  const sql = `update ${quoted(table)} set ${sets.join(', ')} where "id" ${bindings.anyId(ids)}`;
  const effect = { table, set: new Map(ids.map((id) => [id, values])) };
  const meets = () => {
    const others = refersTo?.();
    return new Map([...(others ?? []), [table, [...ids, ...(others?.get(table) ?? [])]]]);
  };
  return (await connection.query({ sql, bindings: bindings.values, effect, meets })).changes;
}

/** Deletes the rows whose columns are among the ids (all conditions hold). */
export async function deleteRows(connection: Connection, table: string, where: readonly ByIds[]): Promise<number> {
  if (where.some(({ ids }) => ids.length === 0)) return 0;
  const bindings = new Bindings(connection.dialect);
  const conditions = where.map(({ column, ids }) => `${quoted(column)} ${bindings.anyId(ids)}`);
  const sql = `delete from ${quoted(table)} where ${conditions.join(' and ')}`;
  const meets = () => new Map([[table, where.find(({ column }) => column === 'id')?.ids ?? []]]);
  return (await connection.query({ sql, bindings: bindings.values, meets })).changes;
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

/** Types of column kinds for lists of values, where PostgreSQL cannot tell them from the columns. */
const casts: Readonly<Record<ColumnKind, string>> = {
  id: 'bigint',
  integer: 'integer',
  bigint: 'bigint',
  float: 'double precision',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  json: 'jsonb',
  words: 'tsvector',
};

/** Sets columns of rows to values of their own: encoded values by column by id. */
export async function updateEach(
  connection: Connection,
  table: string,
  kinds: ReadonlyMap<string, ColumnKind>,
  updates: ReadonlyMap<number, ReadonlyMap<string, unknown>>,
): Promise<void> {
  const sameColumns = Map.groupBy(updates, ([, values]) => [...values.keys()].sort().join(','));
  for (const group of sameColumns.values()) {
    const columns = [...(group[0]?.[1].keys() ?? [])].sort();
    if (columns.length === 0) continue;
    for (const lot of lots(group, columns.length + 1)) {
      const bindings = new Bindings(connection.dialect);
      const cast = (kind: ColumnKind) => (connection.dialect === 'sqlite' ? '' : `::${casts[kind]}`);
      const tuples = lot.map(([id, values]) => {
        // In the order in which they stand: SQLite counts its placeholders.
        const cells = [`${bindings.add(id)}${cast('bigint')}`];
        for (const column of columns)
          cells.push(`${bindings.add(values.get(column))}${cast(kinds.get(column) ?? 'text')}`);
        return `(${cells.join(', ')})`;
      });
      const sets = columns.map((column, position) => `${quoted(column)} = fresh.column${position + 2}`);
      const name = quoted(table);
      const sql = `update ${name} set ${sets.join(', ')} from (values ${tuples.join(', ')}) as fresh where ${name}."id" = fresh.column1`;
      const meets = () => new Map([[table, lot.map(([id]) => id)]]);
      await connection.query({ sql, bindings: bindings.values, effect: { table, set: new Map(lot) }, meets });
    }
  }
}
