import { NotFound } from '../../base/index.ts';
import { type Ctx, internals } from '../../context/index.ts';
import type { Id } from '../fields.ts';
import { selectRows } from '../write/sql.ts';
import { findExternalId, parseExternalId } from './external-ids.ts';

/**
 * The record behind an external id, `base.eur`. Says nothing about whether the caller may see it.
 *
 * @throws NotFound when there is none, or it was deleted.
 */
export async function resolveRef(ctx: Ctx, externalId: string): Promise<Id> {
  const { bound, tracker, connection } = internals(ctx);
  const key = `ref:${externalId}`;
  const kept = bound.get(key);
  if (typeof kept === 'number') return kept;
  const parsed = parseExternalId(externalId);
  tracker?.table('core_external_id');
  const found = parsed && (await findExternalId(connection, parsed.addon, parsed.name));
  const id = found?.recordId;
  if (typeof id !== 'number') {
    throw new NotFound('There is no record “{id}”.', {
      code: 'core.no_external_id',
      params: { id: externalId.slice(0, 120) },
    });
  }
  // Where something may be deleted, it is looked up each time.
  if (!ctx.writes) bound.set(key, id);
  return id;
}

/** The external ids of records, by id; those that have none are left out. The oldest one where a record has several. */
export async function externalIdsOfRecords(ctx: Ctx, model: string, ids: readonly Id[]): Promise<Map<Id, string>> {
  const { connection, tracker } = internals(ctx);
  tracker?.table('core_external_id');
  const columns = ['id', 'addon', 'name', 'model', 'record_id'];
  const rows = await selectRows(connection, 'core_external_id', columns, { column: 'record_id', ids });
  const found = new Map<Id, string>();
  for (const row of rows.toSorted((one, other) => Number(other.id) - Number(one.id))) {
    if (row.model === model) found.set(Number(row.record_id), `${row.addon}.${row.name}`);
  }
  return found;
}
