import { redirect, route, z } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { eventParam } from '../pages/frame.ts';
import { eventPageOf } from '../pages/page.ts';
import { notes, registerPage } from '../pages/register.ts';

/** Redirects to the first page of an event, or to its tickets. */
export const event = route.page(
  '/event/:event',
  { name: 'website_event.event', params: { event: eventParam } },
  (input) => {
    const { event } = input.params;
    const editing = new URL(input.request.url, input.request.origin).searchParams.has('enable_editor');
    const page = event.show_menu ? 'page/introduction' : 'register';
    return redirect(input.url(`${event.website_url}/${page}${editing ? '?enable_editor=1' : ''}`), 302);
  },
);

/** Main page of an event: description, place, date and tickets. */
export const register = route.page(
  '/event/:event/register',
  {
    name: 'website_event.register',
    params: { event: eventParam },
    query: z.object({ note: z.enum(['waiting', 'none']).optional().catch(undefined) }),
    sitemap: {
      model: EventEvent,
      async entries(ctx, ids) {
        const rows = await ctx
          .model(EventEvent)
          .find([...ids, ['state', '!=', 'cancel']], { select: { website_url: true, write_date: true } });
        return rows.map(({ website_url, write_date }) => ({ path: `${website_url}/register`, lastmod: write_date }));
      },
    },
  },
  async ({ ctx, params: { event }, query: { note }, render }) =>
    render(
      'website_event.register',
      await registerPage(ctx, event, note && { message: notes(ctx)[note], good: note === 'waiting' }),
    ),
);

/** Introduction, place and custom pages. */
export const eventPage = route.page(
  '/event/:event/page/:name',
  { name: 'website_event.page', params: { event: eventParam, name: z.string().max(80) } },
  async ({ ctx, params: { event, name }, render }) => {
    const { template, values } = await eventPageOf(ctx, event, name);
    return render(template, values);
  },
);
