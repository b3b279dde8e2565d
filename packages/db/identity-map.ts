import type { ColumnKind, Dialect, Row } from './types.ts';

/** Changes that a writing statement makes to the rows of a table. */
export interface Effect {
  readonly table: string;
  /** New values by row id; omitted for inserts. */
  readonly set?: ReadonlyMap<number, ReadonlyMap<string, unknown>>;
  /** Kinds of the changed columns. */
  readonly kinds?: ReadonlyMap<string, ColumnKind>;
}

/** Limit for rows and lists: the map is meant for the working set of a request, not for imports. */
const maxRows = 500;

interface List {
  readonly tables: readonly string[];
  /** Columns used in its conditions and its order. */
  readonly names: ReadonlySet<string>;
  readonly parents: Map<number, readonly number[]>;
}

/**
 * Rows that an open transaction has read, including its writes to them since: no other transaction can change them meanwhile, so they
 * needn't be read again. A statement that declares its changes (`Effect`) updates the map; any other write clears it.
 *
 * ```
 *   order 4 ─▶ {state: 'draft', …}     lines of order 4 ─▶ 11, 12     line 11 ─▶ {product_uom_qty: …}   ◀─ update … where id in (11)
 * ```
 */
export class IdentityMap {
  readonly #dialect: Dialect;
  readonly #tables = new Map<string, Map<number, Map<string, unknown>>>();
  readonly #lists = new Map<string, List>();
  #count = 0;
  #epoch = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Taken before a read and passed to `keep`, so that rows read before a write aren't stored after it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Columns of these rows, in the order of the ids, or null unless all are known. */
  rows(table: string, columns: readonly string[], ids: readonly number[]): Row[] | null {
    const tableRows = this.#tables.get(table);
    if (!tableRows) return null;
    const result: Row[] = [];
    for (const id of ids) {
      const cells = tableRows.get(id);
      if (!cells) return null;
      const row: Row = { id };
      for (const column of columns) {
        if (column === 'id') continue;
        const value = cells.get(column);
        if (value === undefined) return null;
        // Copied, because callers may modify a Date.
        row[column] = value instanceof Date ? new Date(value) : value;
      }
      result.push(row);
    }
    return result;
  }

  /** Stores rows as read, by column name, with their ids as `id`. */
  keep(epoch: number, table: string, columns: readonly string[], rows: readonly Row[]): void {
    if (epoch !== this.#epoch || rows.length > maxRows / 5) return;
    const tableRows = this.#tables.get(table) ?? new Map<number, Map<string, unknown>>();
    this.#tables.set(table, tableRows);
    for (const row of rows) {
      const id = Number(row.id);
      const cells = tableRows.get(id) ?? new Map<string, unknown>();
      if (!tableRows.has(id)) this.#count += 1;
      tableRows.set(id, cells);
      for (const column of columns) {
        const value = row[column];
        // Callers could modify parsed objects such as JSON.
        if (isPlain(value)) cells.set(column, value);
      }
    }
    if (this.#count > maxRows) this.forget();
  }

  /** Ids belonging to each parent, in order, or null unless all are known. */
  list(key: string, parents: readonly number[]): readonly (readonly number[])[] | null {
    const list = this.#lists.get(key);
    if (!list) return null;
    const idLists: (readonly number[])[] = [];
    for (const parent of parents) {
      const ids = list.parents.get(parent);
      if (!ids) return null;
      idLists.push(ids);
    }
    return idLists;
  }

  keepList(
    epoch: number,
    key: string,
    details: Omit<List, 'parents'>,
    parents: ReadonlyMap<number, readonly number[]>,
  ) {
    if (epoch !== this.#epoch || this.#count > maxRows) return;
    const list = this.#lists.get(key) ?? { ...details, parents: new Map<number, readonly number[]>() };
    this.#lists.set(key, list);
    for (const [parent, ids] of parents) {
      this.#count += 1;
      list.parents.set(parent, ids);
    }
  }

  /** To be called before and after every writing statement. */
  written(effect: Effect | undefined): void {
    if (!effect) {
      this.forget();
      return;
    }
    this.#epoch += 1;
    const { table, set, kinds } = effect;
    const columns = new Set([...(set?.values() ?? [])].flatMap((values) => [...values.keys()]));
    for (const [key, list] of this.#lists) {
      if (list.tables.includes(table) && (!set || !columns.isDisjointFrom(list.names))) this.#lists.delete(key);
    }
    for (const [id, values] of set ?? []) this.#set(this.#tables.get(table)?.get(id), values, kinds);
  }

  forget(): void {
    this.#epoch += 1;
    this.#count = 0;
    this.#tables.clear();
    this.#lists.clear();
  }

  #set(cells: Map<string, unknown> | undefined, values: ReadonlyMap<string, unknown>, kinds: Effect['kinds']): void {
    if (!cells) return;
    for (const [column, bound] of values) {
      const value = asRead(this.#dialect, kinds?.get(column), bound);
      if (value === undefined) cells.delete(column);
      else cells.set(column, value);
    }
  }
}

/**
 * Converts a bound value to the form in which the driver would return it, or undefined if unknown: PostgreSQL uses text for several types.
 */
function asRead(dialect: Dialect, kind: ColumnKind | undefined, bound: unknown): unknown {
  if (bound === null || typeof bound === 'number') return bound;
  if (typeof bound === 'boolean') return dialect === 'sqlite' ? Number(bound) : bound;
  if (typeof bound !== 'string') return undefined;
  if (dialect === 'sqlite' || kind === 'text' || kind === 'date') return bound;
  return kind === 'datetime' ? new Date(bound) : undefined;
}

function isPlain(value: unknown): boolean {
  return value !== undefined && (value === null || typeof value !== 'object' || value instanceof Date);
}
