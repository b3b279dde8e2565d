import type { Ctx } from '../../context/context.ts';
import { internals } from '../../context/internals.ts';
import { quoted } from '../../db/schema/names.ts';
import type { Id, Ids } from '../fields.ts';
import { models } from '../points.ts';
import { boundOf } from '../record-model.ts';
import { operate } from '../write/operation.ts';
import { Bindings } from '../write/sql.ts';

/**
 * Works stored computed fields of records out anew, with what follows from them; for rows made while their addon was disabled (ruling 4). Call
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
  const { connection, generation } = internals(ctx);
  const { table } = generation.get(models).need(model);
  const bindings = new Bindings(connection.dialect);
  const sql = `select "id" from ${quoted(table)} where "id" > ${bindings.add(after)} order by "id" limit ${bindings.add(limit)}`;
  const { rows } = await connection.query({ sql, bindings: bindings.values });
  return rows.map(({ id }) => Number(id));
}
