import type { Id } from '../fields.ts';

/** What to read of a model, loosely: field names with `true`, a deeper select, or `via(layer, select)`. */
export interface SelectSpec {
  readonly [name: string]: true | SelectSpec | { readonly $via: string; readonly select: SelectSpec };
}

/** A row as `find` gives it. */
export interface PlainRow {
  readonly id: Id;
  [name: string | symbol]: unknown;
}
