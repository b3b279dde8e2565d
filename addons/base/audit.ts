import type { Ctx } from '#core';
import type { TrackedChange } from '#core/orm';
import { AuditEntry } from './models/audit.ts';

/** Keeps changes of tracked fields. Nobody has rights to write the trail, so it is written with rights lifted. */
export async function keepTrail(ctx: Ctx, changes: readonly TrackedChange[]): Promise<void> {
  await ctx
    .sudo()
    .model(AuditEntry)
    .create(
      changes.map(({ model, id, field, old, new: now }) => ({
        res_model: model,
        res_id: id,
        field,
        old_value: old ?? null,
        new_value: now ?? null,
        user_id: ctx.user.id,
        date: ctx.now(),
      })),
    );
}
