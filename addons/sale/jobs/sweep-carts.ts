import { job, z } from 'pergola';
import { SaleHold } from '../models/sale-hold.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { cartDays } from '../settings.ts';

const DAY = 24 * 60 * 60_000;
const batch = 200;

/** Deletes expired holds, and unpaid carts that haven't changed for the number of days in the setting. */
export const sweepCarts = job('sale.sweep_carts', {
  mails: true,
  label: 'Delete old carts',
  input: z.object({}),
  cron: '17 * * * *',
  run: async ({ ctx, write, signal }) => {
    const cutoff = new Date(ctx.now().getTime() - (await ctx.settings.get(cartDays)) * DAY);
    for (let deletedCount = batch; deletedCount === batch && !signal.aborted; ) {
      deletedCount = await write(async (writing) => {
        const holds = writing.model(SaleHold);
        const ended = await holds.search([['until', '<', writing.now()]], { limit: batch });
        if (ended.length > 0) await holds.unlink(ended);
        return ended.length;
      });
    }
    for (let deletedCount = batch; deletedCount === batch && !signal.aborted; ) {
      deletedCount = await write(async (writing) => {
        const orders = writing.model(SaleOrder);
        const old = await orders.search(
          [
            ['is_cart', '=', true],
            ['state', '=', 'draft'],
            ['write_date', '<', cutoff],
            ['transaction_ids', '=', null],
          ],
          { limit: batch, order: 'id' },
        );
        if (old.length > 0) await orders.unlink(old);
        return old.length;
      });
    }
  },
});
