import { type Ctx, type Id, job, z } from 'pergola';
import { ShopView, type ViewKind } from '../models/website-sale-view.ts';
import { statisticsDays } from '../settings.ts';

const DAY = 24 * 60 * 60_000;
/** Number of rows deleted per transaction. */
const BATCH = 500;

/** Merges the views of each past day into one row per item, and deletes rows older than the setting. */
export const sumViews = job('website_sale.sum_views', {
  label: 'Update product statistics',
  input: z.object({}),
  cron: '41 2 * * *',
  run: async ({ ctx, write, signal }) => {
    const today = ctx.today();
    const oldest = new Date(ctx.now().getTime() - (await ctx.settings.get(statisticsDays)) * DAY);
    await deleteOld(write, oldest.toISOString().slice(0, 10), signal);
    const groups = await ctx.model(ShopView).group([['day', '<', today]], {
      by: ['day', 'kind', 'product_id', 'method', 'website_id'],
      aggregates: ['count:sum'],
    });
    for (const group of groups) {
      if (signal.aborted) return;
      if (group.count < 2) continue;
      await write((writing) => sumUp(writing, group));
    }
  },
});

async function deleteOld(
  write: <R>(work: (ctx: Ctx) => Promise<R>) => Promise<R>,
  endDay: string,
  signal: AbortSignal,
): Promise<void> {
  for (let deletedCount = BATCH; deletedCount === BATCH && !signal.aborted; ) {
    deletedCount = await write(async (writing) => {
      const views = writing.model(ShopView);
      const ids = await views.search([['day', '<', endDay]], { limit: BATCH });
      if (ids.length > 0) await views.unlink(ids);
      return ids.length;
    });
  }
}

/** Replaces many rows with one. Reads and writes in a single transaction, so that no view is lost or counted twice. */
async function sumUp(ctx: Ctx, group: Readonly<Record<string, unknown>>): Promise<void> {
  const views = ctx.model(ShopView);
  const rows = await views.find(
    [
      ['day', '=', group.day],
      // Key of the group.
      ['kind', '=', group.kind as ViewKind],
      ['product_id', '=', group.product_id ?? null],
      ['method', '=', group.method ?? null],
      ['website_id', '=', group.website_id ?? null],
    ],
    { select: { count: true }, order: 'id' },
  );
  const [first, ...rest] = rows;
  if (!first || rest.length === 0) return;
  await views.write(first.id, { count: rows.reduce((sum, { count }) => sum + count, 0) });
  const ids: Id[] = rest.map(({ id }) => id);
  await views.unlink(ids);
}
