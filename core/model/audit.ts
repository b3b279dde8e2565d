import type { Ctx } from '../context/index.ts';
import { callable, listPoint } from '../kernel/index.ts';
import type { TrackedChange } from './write/tracked.ts';

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
