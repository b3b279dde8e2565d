import { type Ctx, contextTools, NotFound } from '@pergola/core';
import { databaseSession } from '@pergola/db';
import type { Id } from '../fields.ts';
import { findExternalId, parseExternalId } from './external-ids.ts';

/**
 * The record behind an external id, `base.eur`. Says nothing about whether the caller may see it.
 *
 * @throws NotFound when there is none, or it was deleted.
 */
export async function resolveRef(ctx: Ctx, externalId: string): Promise<Id> {
  const { connection } = ctx.get(databaseSession);
  const { memo, tracker } = ctx.get(contextTools);
  const key = `ref:${externalId}`;
  const kept = memo.get(key);
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
  if (!ctx.writes) memo.set(key, id);
  return id;
}
