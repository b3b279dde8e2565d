import { requestValue } from '../kernel/index.ts';
import type { Tracker } from './tracker.ts';

/** Rows that other readers may have asked for already. */
export interface RowReader {
  /**
   * The rows that a statement returns for these values, shared by all readers, so nobody may change them.
   *
   * @param read asks the database if the rows aren't known, and reports what it reads
   */
  rows<Row>(
    statement: object,
    values: string,
    tracker: Tracker | null,
    read: (reads: Tracker) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]>;
}

/** Where a context's rows are read through; null if each statement asks the database. */
export const rowReader = requestValue<RowReader | null>('row reader');
