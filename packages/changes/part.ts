import { definePart } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { job, jobsPart } from '@pergola/jobs';
import { ormPart } from '@pergola/orm';
import { settingsPart } from '@pergola/settings';
import { z } from 'zod';
import { TransactionRecorder } from './recorder.ts';
import { changeDays, deleteOldChanges } from './retention.ts';
import { changeTables } from './tables.ts';

/** Records the changes people make, so that they can be undone. */
export const changesPart = definePart({
  name: 'changes',
  needs: [dbPart, ormPart, jobsPart, settingsPart],
  tables: changeTables,
  clockStamps: [{ table: 'core_change_set', stamp: 'at', columns: ['at'] }],
  recordChanges:
    () =>
    ({ user }, transaction) =>
      user.id === null
        ? null
        : new TransactionRecorder(transaction, {
            userId: user.id,
            login: user.login ?? user.name,
            source: transaction.label,
            clientKey: null,
          }),
  jobs: ({ get }) => [
    job('core.sweep_changes', {
      input: z.object({}),
      cron: '10 3 * * *',
      run: async ({ ctx }) => {
        const days = await ctx.settings.get(changeDays);
        await deleteOldChanges(get(database), new Date(Date.now() - days * 86_400_000));
      },
    }),
  ],
});
