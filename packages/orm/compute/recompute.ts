import type { Ctx } from '@pergola/core';
import { databaseSession, rowsOf } from '@pergola/db';
import { boundOf } from '../bind.ts';
import type { Id, Ids } from '../fields.ts';
import { modelRegistry } from '../registry-key.ts';
import { operate } from '../write/operation.ts';

/**
 * Recalculates stored computed fields of records, and everything that depends on them; for rows created while their addon was disabled.
 * Call it in batches, each in its own transaction; ids of deleted records are skipped.
 */
export async function recompute(ctx: Ctx, model: string, fields: string | readonly string[], ids: Ids): Promise<void> {
  // Stored values are the same for all users; the backfill's user has no rights.
  const bound = boundOf(ctx.get(modelRegistry).bind(ctx.sudo(), model));
  await operate(bound, 'recompute', async (operation) => {
    operation.recomputation.request(bound.compiled, typeof fields === 'string' ? [fields] : fields, ids);
  });
}

/** Returns the next ids of a model after `afterId`, for iterating over all rows in batches, including inactive ones. */
export async function nextIds(ctx: Ctx, model: string, afterId: Id, limit: number): Promise<Id[]> {
  const { connection, database } = ctx.get(databaseSession);
  const models = ctx.get(modelRegistry);
  const { table } = models.need(model);
  const next = database.knex(table).select('id').where('id', '>', afterId).orderBy('id').limit(limit);
  return (await rowsOf(connection, next)).map(({ id }) => Number(id));
}
