import type { RowReader, Tracker } from '@pergola/core';
import { namedCache, roughBytes } from '@pergola/core';
import type { Changes } from '@pergola/db';
import { RenderTracker } from './render-tracker.ts';

/** Bytes that rows may take, and those of one statement. */
const MOST_BYTES = 12_000_000;
const MOST_OF_ONE = 250_000;
/** What they were read from takes about so much. */
const READS_BYTES = 500;

interface Known {
  readonly rows: readonly unknown[];
  readonly reads: RenderTracker;
}

/**
 * Rows of statements, kept until a table they were read from changes, here or on another node: pages that are made anew share what others have read.
 * Nobody changes a row; each reader decodes it into values of their own.
 */
export class RowCache implements RowReader {
  readonly #changes: Changes;
  readonly #known = namedCache<string, Known>('rows', {
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_OF_ONE,
    sizeCalculation: ({ rows }, key) => READS_BYTES + key.length * 2 + roughBytes(rows),
  });

  /** Statements by number: shorter than their texts. */
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
    const known = this.#known.get(key);
    if (known?.reads.holds) {
      known.reads.passOn(tracker);
      return known.rows as readonly Row[];
    }
    const reads = new RenderTracker(this.#changes);
    const rows = await read(reads);
    reads.passOn(tracker);
    if (reads.holds) this.#known.set(key, { rows, reads });
    else this.#known.delete(key);
    return rows;
  }

  #numberOf(statement: object): number {
    const known = this.#numbers.get(statement);
    if (known !== undefined) return known;
    this.#numbers.set(statement, ++this.#last);
    return this.#last;
  }
}
