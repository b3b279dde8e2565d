import { DAY, HOUR } from '@pergola/website';
import { type Ctx, redirect, route, z } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { t } from '../texts.ts';

/** Creates an event in two weeks with one ticket type, and opens it for editing. */
export const addEvent = route.form(
  '/event/add_event',
  {
    name: 'website_event.add_event',
    page: '/event',
    auth: 'user',
    groups: ['website_event.group_event_user'],
    writes: true,
    body: z.object({ event_name: z.string().trim().min(1, 'Enter an event name.').max(120, 'This is too long.') }),
  },
  async ({ ctx, body, url }) => {
    const id = await ctx.model(EventEvent).create({
      name: body.event_name,
      ...nextDays(ctx),
      website_id: ctx.attributes.website?.id ?? null,
      event_ticket_ids: [{ create: { name: t(ctx, 'Registration'), price: '0', seats_max: 1000 } }],
    });
    const { website_url } = await ctx.model(EventEvent).get(id, { select: { website_url: true } });
    return redirect(url(`${website_url}/register?enable_editor=1`));
  },
);

/** Returns a one-day period, starting at the full hour in two weeks. */
function nextDays(ctx: Ctx): { date_begin: Date; date_end: Date } {
  const begin = new Date(Math.ceil((ctx.now().getTime() + 14 * DAY) / HOUR) * HOUR);
  return { date_begin: begin, date_end: new Date(begin.getTime() + DAY) };
}
