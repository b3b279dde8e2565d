import { type Id, job, z } from '#core';
import { WaitingList } from '../services/waiting-list.ts';

/**
 * Offers seats that came free to the waiting lists: of one event when something of it changed, of all every five minutes, since carts let seats go
 * without telling.
 */
export const offerSeatsJob = job('website_event.offer_seats', {
  label: 'Offer free seats to waiting lists',
  input: z.object({ event: z.number().int().positive().optional() }),
  cron: '*/5 * * * *',
  run: async ({ ctx, input, write, signal }) => {
    const waiting = await ctx
      .model('event.waiting')
      .group(
        [
          ['state', 'in', ['waiting', 'offered']],
          ...(input.event === undefined ? [] : [['event_id', '=', input.event] as const]),
        ],
        { by: ['event_id'] },
      );
    for (const event of waiting.map(({ event_id }): Id => Number(event_id)).sort((a, b) => a - b)) {
      signal.throwIfAborted();
      await write((writing) => writing.get(WaitingList).offer(event));
    }
  },
});
