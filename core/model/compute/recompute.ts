import { type Ctx, internals } from '../../context/index.ts';
import { rowsOf } from '../../db/index.ts';
import { boundOf } from '../bind.ts';
import type { Id, Ids } from '../fields.ts';
import { operate } from '../write/operation.ts';

/**
 * Works stored computed fields of records out anew, with what follows from them; for rows made while their addon was disabled. Call
 * it in batches, each in a transaction of its own: ids that are gone are passed over.
 */
export async function recompute(ctx: Ctx, model: string, fields: string | readonly string[], ids: Ids): Promise<void> {
  // Kept values are the same for everybody; whoever runs the backfill has no rights of his own.
  const bound = boundOf(internals(ctx).models.bind(ctx.sudo(), model));
  await operate(bound, 'recompute', async (operation) => {
    operation.recomputation.request(bound.compiled, typeof fields === 'string' ? [fields] : fields, ids);
  });
}

/** The next ids of a model after one, for going through all its rows in batches; inactive ones too. */
export async function nextIds(ctx: Ctx, model: string, after: Id, limit: number): Promise<Id[]> {
  const { connection, database, models } = internals(ctx);
  const { table } = models.need(model);
  const next = database.knex(table).select('id').where('id', '>', after).orderBy('id').limit(limit);
  return (await rowsOf(connection, next)).map(({ id }) => Number(id));
}
