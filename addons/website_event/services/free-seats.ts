import type { Ctx, Ids } from '#core';
import { offerSeatsJob } from '../jobs/offer-seats.ts';
import { EventWaiting } from '../models/event-waiting.ts';

/** To be called where seats may have come free: whoever waits for them is asked after the commit. */
export async function seatsCameFree(ctx: Ctx, events: Ids): Promise<void> {
  for (const event of new Set(events)) {
    // Whether anybody waits is looked up with lifted rights: whoever frees a seat need not know.
    const waiting = await ctx
      .sudo()
      .model(EventWaiting)
      .count([
        ['event_id', '=', event],
        ['state', '=', 'waiting'],
      ]);
    if (waiting > 0) await ctx.jobs.enqueue(offerSeatsJob, { event }, { key: String(event) });
  }
}
