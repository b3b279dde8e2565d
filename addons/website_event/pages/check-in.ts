import { User } from '@pergola/base';
import { HOUR } from '@pergola/website';
import type { Ctx, Domain, FieldsOf, Id } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { type CheckInOutcome, EventRegistration } from '../models/event-registration.ts';
import { whenOf } from '../services/event-dates.ts';
import { t } from '../texts.ts';
import type { ShownEvent } from './frame.ts';

/** Maximum number of search results. */
const MAX_RESULTS = 50;

/** Events open for check-in: from a week before they begin until half a day after they end. */
export async function eventsAtTheDoor(ctx: Ctx) {
  const rows = await ctx.model(EventEvent).find(
    [
      ['state', '=', 'confirm'],
      ['date_end', '>', ctx.now().plus(-12 * HOUR)],
    ],
    {
      select: { name: true, date_begin: true, date_end: true, date_tz: true, website_url: true },
      order: 'date_begin, id',
      limit: 30,
    },
  );
  return rows.map((row) => ({
    name: row.name,
    when: whenOf(ctx, row),
    href: `/event/check-in/${row.website_url?.split('/').at(-1) ?? row.id}`,
  }));
}

interface PageOptions {
  readonly search?: string;
  /** Registration to show. */
  readonly found?: Id | null;
  /** Outcome of the last action on it. */
  readonly outcome?: CheckInOutcome | 'undone';
}

/** Values of the check-in page. */
export async function checkInPage(
  ctx: Ctx,
  event: ShownEvent,
  { search = '', found: foundId = null, outcome }: PageOptions,
) {
  const registrations = ctx.model(EventRegistration);
  const attendees: Domain<FieldsOf<EventRegistration>> = [
    ['event_id', '=', event.id],
    ['state', 'in', ['open', 'done']],
  ];
  const people = await registrations.find(
    [...attendees, ...(search === '' ? [] : (['|', ['name', 'ilike', search], ['email', 'ilike', search]] as const))],
    { select: personSelect, order: 'name, id', limit: MAX_RESULTS },
  );
  const inside = await registrations.count([
    ['event_id', '=', event.id],
    ['state', '=', 'done'],
  ]);
  const all = await registrations.count(attendees);
  const person = foundId === null ? null : await personOf(ctx, foundId, event);
  return {
    title: t(ctx, 'Check-in: {name}', { name: event.name }),
    event,
    when: whenOf(ctx, event),
    search,
    people: people.map((row) => personView(row, event)),
    more: people.length === MAX_RESULTS,
    inside,
    all,
    person,
    outcome: outcome ? { kind: outcome } : null,
    action: `/event/check-in/${event.website_url?.split('/').at(-1) ?? event.id}`,
    noindex: true,
  };
}

const personSelect = {
  name: true,
  email: true,
  state: true,
  barcode: true,
  date_closed: true,
  event_ticket_id: { name: true },
} as const;

type Person = Awaited<ReturnType<typeof readPeople>>[number];
function readPeople(ctx: Ctx) {
  return ctx.model(EventRegistration).read([], { select: personSelect });
}

function personView(row: Person, event: ShownEvent) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    ticket: row.event_ticket_id?.name ?? null,
    code: row.barcode?.slice(-4) ?? '',
    inside: row.state === 'done',
    valid: row.state === 'open',
    since: row.date_closed,
    zone: event.date_tz,
  };
}

async function personOf(ctx: Ctx, id: Id, event: ShownEvent) {
  const [row] = await ctx
    .model(EventRegistration)
    .read([id], { select: { ...personSelect, checked_by: true, event_id: { name: true } } });
  if (!row) return null;
  // Check-in staff can see by name who admitted an attendee.
  const staffName =
    row.checked_by === null ? null : (await ctx.sudo().model(User).displayNames([row.checked_by])).get(row.checked_by);
  return {
    ...personView(row, event),
    by: staffName ?? null,
    elsewhere: row.event_id && row.event_id.id !== event.id ? row.event_id.name : null,
  };
}
