import type { RowReader, Tracker } from '@pergola/core';
import { namedCache, roughBytes } from '@pergola/core';
import type { Changes } from '@pergola/db';
import { RenderTracker } from './render-tracker.ts';

/** Size limits in bytes: for all rows, and for the rows of one statement. */
const MAX_BYTES = 12_000_000;
const MAX_STATEMENT_BYTES = 250_000;
/** Estimated size of the recorded reads. */
const READS_BYTES = 500;

interface Known {
  readonly rows: readonly unknown[];
  readonly reads: RenderTracker;
}

/**
 * Caches rows of statements until a table they were read from changes, here or on another node, so that rendered pages share their reads.
 * Rows are never modified; each reader decodes them into separate values.
 */
export class RowCache implements RowReader {
  readonly #changes: Changes;
  readonly #known = namedCache<string, Known>('rows', {
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_STATEMENT_BYTES,
    sizeCalculation: ({ rows }, key) => READS_BYTES + key.length * 2 + roughBytes(rows),
  });

  /** Statements by number, as short keys. */
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  async rows<Row>(
    statement: object,
    values: string,
    tracker: Tracker | null,
    read: (reads: Tracker) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const key = `${this.#numberOf(statement)} ${values}`;
    const cached = this.#known.get(key);
    if (cached?.reads.holds) {
      cached.reads.passOn(tracker);
      return cached.rows as readonly Row[];
    }
    const reads = new RenderTracker(this.#changes);
    const rows = await read(reads);
    reads.passOn(tracker);
    if (reads.holds) this.#known.set(key, { rows, reads });
    else this.#known.delete(key);
    return rows;
  }

  #numberOf(statement: object): number {
    const existing = this.#numbers.get(statement);
    if (existing !== undefined) return existing;
    this.#numbers.set(statement, ++this.#last);
    return this.#last;
  }
}
