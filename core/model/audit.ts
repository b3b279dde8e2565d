import type { Id } from '../base/index.ts';
import type { Ctx } from '../context/index.ts';
import { callable, listPoint } from '../kernel/index.ts';

declare module '../kernel/point.ts' {
  interface Contributions {
    /**
     * Told of changes of tracked fields of existing records, in the transaction that makes them and as whoever makes them; keeps the audit trail.
     * Computed values count too.
     */
    audit: (ctx: Ctx, changes: readonly TrackedChange[]) => Promise<void>;
  }
}

/** Who is told of changes of tracked fields. */
export const audit = listPoint('audit', { shape: callable });

/** A new value of a field that says `tracked`. Values are as the field keeps them; x2many fields as lists of ids, translated ones by language. */
export interface TrackedChange {
  /** The model's name. */
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}
