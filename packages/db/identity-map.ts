import type { ColumnKind, Dialect, Row } from './types.ts';

/** What a statement that writes changes of the rows of a table. */
export interface Effect {
  readonly table: string;
  /** Set in the rows with these ids; new rows when left out. */
  readonly set?: ReadonlyMap<number, ReadonlyMap<string, unknown>>;
  /** What the columns that are set hold. */
  readonly kinds?: ReadonlyMap<string, ColumnKind>;
}

/** Rows and lists beyond this are read again: memory is for what a request works with, not for imports. */
const mostRows = 500;

interface List {
  readonly tables: readonly string[];
  /** What its conditions and its order name. */
  readonly names: ReadonlySet<string>;
  readonly parents: Map<number, readonly number[]>;
}

/**
 * What an open transaction has read of rows, and what it has written into them since: nobody else changes them meanwhile, so the same need not be asked for
 * again. A statement that says what it changes (`Effect`) changes this too; after any other one that writes everything is forgotten.
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

  /** To be taken before a read, and given to `keep`: what was read before a write is not kept after it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The columns of these rows, in the order of the ids; null unless all of it is known. */
  rows(table: string, columns: readonly string[], ids: readonly number[]): Row[] | null {
    const known = this.#tables.get(table);
    if (!known) return null;
    const found: Row[] = [];
    for (const id of ids) {
      const cells = known.get(id);
      if (!cells) return null;
      const row: Row = { id };
      for (const column of columns) {
        if (column === 'id') continue;
        const value = cells.get(column);
        if (value === undefined) return null;
        // Whoever gets a moment may set its clock.
        row[column] = value instanceof Date ? new Date(value) : value;
      }
      found.push(row);
    }
    return found;
  }

  /** Rows as they were read, their columns by name, with their ids as `id`. */
  keep(epoch: number, table: string, columns: readonly string[], rows: readonly Row[]): void {
    if (epoch !== this.#epoch || rows.length > mostRows / 5) return;
    const known = this.#tables.get(table) ?? new Map<number, Map<string, unknown>>();
    this.#tables.set(table, known);
    for (const row of rows) {
      const id = Number(row.id);
      const cells = known.get(id) ?? new Map<string, unknown>();
      if (!known.has(id)) this.#count += 1;
      known.set(id, cells);
      for (const column of columns) {
        const value = row[column];
        // What the driver has parsed could be changed by whoever gets it.
        if (isPlain(value)) cells.set(column, value);
      }
    }
    if (this.#count > mostRows) this.forget();
  }

  /** The ids behind each parent, in their order; null unless all are known. */
  list(key: string, parents: readonly number[]): readonly (readonly number[])[] | null {
    const known = this.#lists.get(key);
    if (!known) return null;
    const found: (readonly number[])[] = [];
    for (const parent of parents) {
      const ids = known.parents.get(parent);
      if (!ids) return null;
      found.push(ids);
    }
    return found;
  }

  keepList(epoch: number, key: string, about: Omit<List, 'parents'>, parents: ReadonlyMap<number, readonly number[]>) {
    if (epoch !== this.#epoch || this.#count > mostRows) return;
    const known = this.#lists.get(key) ?? { ...about, parents: new Map<number, readonly number[]>() };
    this.#lists.set(key, known);
    for (const [parent, ids] of parents) {
      this.#count += 1;
      known.parents.set(parent, ids);
    }
  }

  /** A statement is about to write. Call it again when it has. */
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

/** How the driver answers what was bound; undefined where that is not known. A text stands for several types of PostgreSQL's. */
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
