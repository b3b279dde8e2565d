import { type Ctx, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { EventEvent } from './models/event-event.ts';
import { EventRegistration } from './models/event-registration.ts';

const DAY = 86_400_000;
/** Names shown of many. */
const NAMES = 20;

/** Events to come, and the people who count on them. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('website_event')) return [];
  const now = ctx.now();
  const upcoming = [
    ['state', '=', 'confirm'],
    ['date_end', '>=', now],
  ] as const;
  const events = ctx.model(EventEvent);
  const attendees = ctx.model(EventRegistration);
  const soon = await attendees.count([
    ['state', '=', 'open'],
    ['event_id.state', '=', 'confirm'],
    ['event_id.date_end', '>=', now],
    ['event_id.date_begin', '<', new Date(now.getTime() + 2 * DAY)],
  ]);
  const later = await attendees.count([
    ['state', '=', 'open'],
    ['event_id.state', '=', 'confirm'],
    ['event_id.date_begin', '>=', new Date(now.getTime() + 2 * DAY)],
  ]);
  const named = await events.find(upcoming, { select: { name: true }, order: 'date_begin, id', limit: NAMES });
  return [
    { sentence: sentence('Attendees whose event starts within 48 hours or is running'), count: soon, stops: true },
    { sentence: sentence('Attendees of later events'), count: later, stops: true },
    {
      sentence: sentence('Upcoming events that leave the website'),
      count: await events.count(upcoming),
      names: named.map(({ name }) => name),
      stops: true,
    },
  ];
}
