import { type Id, job, z } from 'pergola';
import { WaitingList } from '../services/waiting-list.ts';

/**
 * Offers free seats to the waiting lists: of one event after a change, and of all events every five minutes, because holds and offers
 * expire. Also closes lists whose ticket is no longer sold.
 */
export const offerSeatsJob = job('website_event.offer_seats', {
  mails: true,
  label: 'Offer available seats to waiting lists',
  input: z.object({ event: z.number().int().positive().optional() }),
  cron: '*/5 * * * *',
  run: async ({ ctx, input, write, signal }) => {
    const waiting = await ctx
      .model('event.waiting')
      .group(
        [
          '|',
          ['state', 'in', ['waiting', 'offered']],
          '&',
          ['state', '=', 'claimed'],
          ['offered_until', '!=', null],
          ...(input.event === undefined ? [] : [['event_id', '=', input.event] as const]),
        ],
        { by: ['event_id'] },
      );
    for (const event of waiting.map(({ event_id }): Id => Number(event_id)).sort((a, b) => a - b)) {
      for (let isMore = true; isMore; ) {
        signal.throwIfAborted();
        isMore = await write((writing) => writing.get(WaitingList).offer(event));
      }
    }
  },
});
