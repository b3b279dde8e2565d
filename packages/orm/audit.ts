import type { Ctx, Id } from '@pergola/core';
import { callable, listPoint } from '@pergola/core';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /**
     * Told of changes of tracked fields of existing records, in the transaction that makes them and as whoever makes them; keeps the audit trail.
     * Computed values count too. Of settings (`core.setting`) and addons (`core.addon`) too: then the field is their name, and there is no record.
     */
    audit: (ctx: Ctx, changes: readonly TrackedChange[]) => Promise<void>;
  }
}

/** Who is told of changes of tracked fields. */
export const audit = listPoint('audit', { shape: callable });

/** Tells whoever keeps the audit trail. */
export async function tellAudit(ctx: Ctx, changes: readonly TrackedChange[]): Promise<void> {
  if (changes.length === 0) return;
  for (const note of ctx.get(audit)) await note(ctx, changes);
}

/** A new value of a field that says `tracked`. Values are as the field keeps them; x2many fields as lists of ids, translated ones by language. */
export interface TrackedChange {
  /** The model's name. */
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
  /** The login of who did it, or nobody's (`command line`), where that is not the context's user. */
  readonly by?: string;
}
