import { type Ctx, neverKept } from '@pergola/core';
import { changesOf, type Database, databaseSession, transactionOf } from '@pergola/db';
import type { Id } from '@pergola/orm';
import { setting } from '@pergola/settings';
import { z } from 'zod';
import { eraseRecords, SET_TABLE } from './store.ts';

/** How long changes can be undone. Addon `base` shows it among its settings. */
export const changeDays = setting('base.change_days', z.number().int().min(1).max(3_650), 90, { label: '' });

/** Sets deleted in one transaction. */
const BATCH = 500;

/** Deletes the change sets from before a time. Returns their number. */
export async function deleteOldChanges({ knex, codec, write }: Database, before: Date): Promise<number> {
  const limit = codec.encode('datetime', before) as number;
  for (let total = 0; ; ) {
    const old = knex(SET_TABLE).select('id').where('at', '<', limit).orderBy('id').limit(BATCH);
    const deleted = await write(
      async (transaction) => {
        const count = await changesOf(transaction, knex(SET_TABLE).whereIn('id', old).delete());
        if (count > 0) transaction.touch(SET_TABLE);
        return count;
      },
      { label: 'sweep changes' },
    );
    total += deleted;
    if (deleted < BATCH) return total;
  }
}

/**
 * Deletes the recorded values of records, as the law requires when a person's data is erased: those changes can no longer be undone. The
 * caller checks access.
 *
 * @returns how many changes were erased
 */
export async function eraseChanges(ctx: Ctx, model: string, ids: readonly Id[]): Promise<number> {
  neverKept(ctx, 'it changes recorded changes');
  if (ids.length === 0) return 0;
  return eraseRecords(ctx.get(databaseSession).database, transactionOf(ctx), model, new Set(ids));
}
