import { InvalidInput, redirect, route, z } from 'pergola';
import { codeIn, EventRegistration } from '../models/event-registration.ts';
import { checkInPage, eventsAtTheDoor } from '../pages/check-in.ts';
import { eventParam } from '../pages/frame.ts';

const door = { auth: 'user', groups: ['website_event.group_event_door'] } as const;
const template = 'website_event.check_in';

/** Check-in overview: events of these days. A ticket code scanned with a phone redirects to its event. */
export const checkIn = route.page(
  '/event/check-in',
  { ...door, name: 'website_event.check_in', cache: false, query: z.object({ code: z.string().max(500).optional() }) },
  async ({ ctx, query, render, url }) => {
    if (query.code) {
      const registration = await ctx.model(EventRegistration).byCode(query.code);
      if (registration) return redirect(url(`/event/check-in/${registration.event_id}?found=${registration.id}`));
    }
    const events = await eventsAtTheDoor(ctx);
    return render('website_event.check_in_events', { events, unknown: Boolean(query.code), noindex: true });
  },
);

const pageQuery = z.object({
  search: z.string().trim().max(100).catch('').default(''),
  found: z.coerce.number().int().positive().optional(),
});

/** Check-in page of one event: code entry or scan, search, and list of attendees. */
export const checkInEvent = route.page(
  '/event/check-in/:event',
  { ...door, name: 'website_event.check_in_event', cache: false, params: { event: eventParam }, query: pageQuery },
  async ({ ctx, params: { event }, query, render, request }) => {
    // Allows the camera on this page only, to scan ticket codes.
    request.setHeader('Permissions-Policy', 'camera=(self)');
    return render(template, await checkInPage(ctx, event, { search: query.search, found: query.found ?? null }));
  },
);

/** Checks in an attendee, by ticket code or from the list. For a used ticket, reports when and by whom it was checked in. */
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
      return render(template, { ...(await checkInPage(ctx, event, {})), outcome: { kind: 'refused', message } });
    },
  },
  async ({ ctx, params: { event }, body, render, request }) => {
    request.setHeader('Permissions-Policy', 'camera=(self)');
    const registrations = ctx.model(EventRegistration);
    const id = body.registration ?? (await registrations.byCode(body.code ?? ''))?.id;
    const search = body.search ?? '';
    if (id === undefined) {
      if (codeIn(body.code ?? '') === '')
        throw new InvalidInput('Enter a ticket code.', { code: 'website_event.no_code' });
      return render(
        template,
        { ...(await checkInPage(ctx, event, { search })), outcome: { kind: 'unknown' } },
        { status: 404 },
      );
    }
    // Rejects registrations that don't exist or aren't visible to check-in staff.
    await registrations.get(id, { select: { event_id: true } });
    if (body.undo) await registrations.undo_check_in([id]);
    const outcome = body.undo ? 'undone' : await registrations.checkIn(id, event.id);
    return render(template, await checkInPage(ctx, event, { search, found: id, outcome }), {
      status: outcome === 'in' || outcome === 'undone' ? 200 : 409,
    });
  },
);
