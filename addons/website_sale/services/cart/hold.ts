import { SaleHold, zonedTime } from '@pergola/sale';
import { type Ctx, type Id, momentAt, plusDays } from 'pergola';

/** End of a reservation for pages: as text in the site's time zone, and as a timestamp for the countdown. */
export interface HoldView {
  readonly text: string;
  readonly machine: string;
}

/** Returns when the first active reservation of the caller's cart ends, or null if nothing is reserved. */
export async function holdView(ctx: Ctx, order: Id): Promise<HoldView | null> {
  const first = await ctx
    .sudo() // The order is the caller's.
    .model(SaleHold)
    .first(
      [
        ['order_id', '=', order],
        ['until', '>', ctx.now()],
      ],
      { select: { until: true }, order: 'until' },
    );
  if (!first) return null;
  const tomorrow = momentAt(plusDays(ctx.today(), 1), '00:00', ctx.timezone);
  const style = first.until < tomorrow ? 'time' : 'medium';
  return { text: zonedTime(ctx, first.until, style), machine: first.until.toISOString() };
}
