import { User } from '@pergola/base';
import { job, z } from 'pergola';
import { deleteAccounts, unusedAccounts } from '../services/unused-accounts.ts';
import { unconfirmedDays } from '../settings.ts';

const BATCH = 200;
const DAY = 86_400_000;

/** Deletes accounts whose address wasn't confirmed within the configured number of days and that own no records. */
export const sweepUnconfirmed = job('web.sweep_unconfirmed', {
  label: 'Delete unconfirmed accounts',
  input: z.object({}),
  cron: '53 3 * * *',
  run: async ({ ctx, write, signal }) => {
    const cutoff = new Date(ctx.now().getTime() - (await ctx.settings.get(unconfirmedDays)) * DAY);
    for (let batchSize = BATCH, last = 0; batchSize === BATCH && !signal.aborted; ) {
      batchSize = await write(async (writing) => {
        const rows = await writing
          .model(User)
          .find(
            [
              ['id', '>', last],
              ['wanted_login', '!=', null],
              ['email_verified', '=', false],
              ['create_date', '<', cutoff],
              '|',
              ['login_date', '=', null],
              ['login_date', '<', cutoff],
            ],
            { select: { partner_id: true }, limit: BATCH, order: 'id' },
          );
        const accounts = rows.flatMap(({ id, partner_id: contact }) => (contact === null ? [] : [{ id, contact }]));
        await deleteAccounts(writing, await unusedAccounts(writing, accounts));
        last = rows.at(-1)?.id ?? last;
        return rows.length;
      });
    }
  },
});
