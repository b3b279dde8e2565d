import type { Field } from './fields.ts';

/** Where `find` keeps what a row is; enumerable, so that spreading a row keeps it. */
export const META: unique symbol = Symbol('pergola.meta');

/** What a template needs to know of a row: which record it is, and whether its reader may change it. */
export interface RowMeta {
  /** The model's name, `sale.order`. */
  readonly model: string;
  readonly id: number;
  /** Whether the reader's access list and record rules allow writing this record. */
  readonly mayWrite: boolean;
  /** The model's fields by name, with every extension applied. */
  readonly fields: Readonly<Record<string, Field>>;
}
