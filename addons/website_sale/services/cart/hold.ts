import { type Ctx, type Id, momentAt, plusDays } from 'pergola';
import { SaleHold, zonedTime } from '#addons/sale';

/** Until when something is kept for a customer, as pages show it: with its zone, and counted down by the page. */
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
