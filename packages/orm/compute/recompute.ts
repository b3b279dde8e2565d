import type { Ctx } from '@pergola/core';
import { databaseSession, rowsOf } from '@pergola/db';
import { boundOf } from '../bind.ts';
import type { Id, Ids } from '../fields.ts';
import { modelRegistry } from '../registry-key.ts';
import { operate } from '../write/operation.ts';

/**
 * Works stored computed fields of records out anew, with what follows from them; for rows made while their addon was disabled. Call
 * it in batches, each in a transaction of its own: ids that are gone are passed over.
 */
export async function recompute(ctx: Ctx, model: string, fields: string | readonly string[], ids: Ids): Promise<void> {
  // Kept values are the same for everybody; whoever runs the backfill has no rights of his own.
  const bound = boundOf(ctx.get(modelRegistry).bind(ctx.sudo(), model));
  await operate(bound, 'recompute', async (operation) => {
    operation.recomputation.request(bound.compiled, typeof fields === 'string' ? [fields] : fields, ids);
  });
}

/** The next ids of a model after one, for going through all its rows in batches; inactive ones too. */
export async function nextIds(ctx: Ctx, model: string, after: Id, limit: number): Promise<Id[]> {
  const { connection, database } = ctx.get(databaseSession);
  const models = ctx.get(modelRegistry);
  const { table } = models.need(model);
  const next = database.knex(table).select('id').where('id', '>', after).orderBy('id').limit(limit);
  return (await rowsOf(connection, next)).map(({ id }) => Number(id));
}
