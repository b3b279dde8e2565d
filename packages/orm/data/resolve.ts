import { type Ctx, contextTools, NotFound } from '@pergola/core';
import { databaseSession } from '@pergola/db';
import type { Id } from '../fields.ts';
import { findExternalId, parseExternalId } from './external-ids.ts';

/**
 * Returns the record behind an external id, `base.eur`, whether or not the caller may see it.
 *
 * @throws NotFound if the record doesn't exist or was deleted.
 */
export async function resolveRef(ctx: Ctx, externalId: string): Promise<Id> {
  const { connection } = ctx.get(databaseSession);
  const { memo, tracker } = ctx.get(contextTools);
  const key = `ref:${externalId}`;
  const cached = memo.get(key);
  if (typeof cached === 'number') return cached;
  const parsed = parseExternalId(externalId);
  tracker?.table('core_external_id');
  const external = parsed && (await findExternalId(connection, parsed.addon, parsed.name));
  const id = external?.recordId;
  if (typeof id !== 'number') {
    throw new NotFound('There is no record “{id}”.', {
      code: 'core.no_external_id',
      params: { id: externalId.slice(0, 120) },
    });
  }
  // In a writing context the record might be deleted, so it is looked up each time.
  if (!ctx.writes) memo.set(key, id);
  return id;
}
