import type { Field } from './fields.ts';

/** Symbol under which `find` stores a row's metadata; enumerable, so that spreading a row keeps it. */
export const META: unique symbol = Symbol('pergola.meta');

/** Metadata of a row for templates: its record, and whether the reader may change it. */
export interface RowMeta {
  /** The model's name, `sale.order`. */
  readonly model: string;
  readonly id: number;
  /** Whether the reader's access list and record rules allow writing this record. */
  readonly mayWrite: boolean;
  /** The model's fields by name, with all extensions applied. */
  readonly fields: Readonly<Record<string, Field>>;
}
