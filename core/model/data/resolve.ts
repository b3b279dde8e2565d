import { NotFound } from '../../base/index.ts';
import { type Ctx, internals } from '../../context/index.ts';
import type { Id } from '../fields.ts';
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
