import type { Ctx, Id } from '@pergola/core';
import { callable, listPoint } from '@pergola/core';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /**
     * Called with changes of tracked fields of existing records, in the transaction that makes them and as the user who makes them; keeps
     * the audit trail. Includes computed values, and changes of settings (`core.setting`) and addons (`core.addon`): there the field is
     * their name, and there is no record.
     */
    audit: (ctx: Ctx, changes: readonly TrackedChange[]) => Promise<void>;
  }
}

/** Functions called with changes of tracked fields. */
export const audit = listPoint('audit', { shape: callable });

/** Passes changes to the audit trail. */
export async function tellAudit(ctx: Ctx, changes: readonly TrackedChange[]): Promise<void> {
  if (changes.length === 0) return;
  for (const note of ctx.get(audit)) await note(ctx, changes);
}

/**
 * New value of a field with `tracked`. Values are in the field's stored form; x2many fields as lists of ids, translated ones by language.
 */
export interface TrackedChange {
  /** The model's name. */
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
  /** Login of the person responsible, or a label such as `command line`, if it isn't the context's user. */
  readonly by?: string;
}
