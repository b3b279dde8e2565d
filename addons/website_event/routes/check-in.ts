import { InvalidInput, redirect, route, z } from 'pergola';
import { codeIn, EventRegistration } from '../models/event-registration.ts';
import { checkInPage, eventsAtTheDoor } from '../pages/check-in.ts';
import { eventParam } from '../pages/frame.ts';

const door = { auth: 'user', groups: ['website_event.group_event_door'] } as const;
const template = 'website_event.check_in';

/** Where people are let in: the events of these days. The code of a ticket that a telephone has read leads to its event. */
export const checkIn = route.page(
  '/event/check-in',
  { ...door, name: 'website_event.check_in', cache: false, query: z.object({ code: z.string().max(500).optional() }) },
  async ({ ctx, query, render, url }) => {
    if (query.code) {
      const found = await ctx.model(EventRegistration).byCode(query.code);
      if (found) return redirect(url(`/event/check-in/${found.event_id}?found=${found.id}`));
    }
    const events = await eventsAtTheDoor(ctx);
    return render('website_event.check_in_events', { events, unknown: Boolean(query.code), noindex: true });
  },
);

const shown = z.object({
  search: z.string().trim().max(100).catch('').default(''),
  found: z.coerce.number().int().positive().optional(),
});

/** The door of one event: a code to type or scan, a search, and who is there. */
export const checkInEvent = route.page(
  '/event/check-in/:event',
  { ...door, name: 'website_event.check_in_event', cache: false, params: { event: eventParam }, query: shown },
  async ({ ctx, params: { event }, query, render, request }) => {
    // Only here may the camera be used: it reads the codes of tickets.
    request.setHeader('Permissions-Policy', 'camera=(self)');
    return render(template, await checkInPage(ctx, event, { search: query.search, found: query.found ?? null }));
  },
);

/** Lets somebody in, by the code of the ticket or from the list. A ticket that was used is told of, with when and by whom. */
export const checkInPost = route.form(
  '/event/check-in/:event',
  {
    ...door,
    name: 'website_event.let_in',
    writes: true,
    params: { event: eventParam },
    body: z.object({
      code: z.string().max(500).optional(),
      registration: z.coerce.number().int().positive().optional(),
      undo: z.stringbool().optional(),
      search: z.string().max(100).optional(),
    }),
    invalid: async ({ ctx, params: { event }, message, render, request }) => {
      request.setHeader('Permissions-Policy', 'camera=(self)');
      return render(
        template,
        { ...(await checkInPage(ctx, event, {})), outcome: { kind: 'refused', message } },
        { status: 422 },
      );
    },
  },
  async ({ ctx, params: { event }, body, render, request }) => {
    request.setHeader('Permissions-Policy', 'camera=(self)');
    const registrations = ctx.model(EventRegistration);
    const id = body.registration ?? (await registrations.byCode(body.code ?? ''))?.id;
    const search = body.search ?? '';
    if (id === undefined) {
      if (codeIn(body.code ?? '') === '')
        throw new InvalidInput('Give the code of a ticket.', { code: 'website_event.no_code' });
      return render(
        template,
        { ...(await checkInPage(ctx, event, { search })), outcome: { kind: 'unknown' } },
        { status: 404 },
      );
    }
    // Refuses what isn't there, or not for the door to see.
    await registrations.get(id, { select: { event_id: true } });
    if (body.undo) await registrations.undo_check_in([id]);
    const outcome = body.undo ? 'undone' : await registrations.checkIn(id, event.id);
    return render(template, await checkInPage(ctx, event, { search, found: id, outcome }), {
      status: outcome === 'in' || outcome === 'undone' ? 200 : 409,
    });
  },
);
