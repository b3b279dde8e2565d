import type { Id } from '../../base/index.ts';

/** A new value of a field that says `tracked`. Values are as the field keeps them; x2many fields as lists of ids, translated ones by language. */
export interface TrackedChange {
  /** The model's name. */
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}
