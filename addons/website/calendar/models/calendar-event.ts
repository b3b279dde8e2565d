import { type Domain, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import type { Now } from 'pergola/kernel';
import { MINUTE } from '../../services/durations.ts';
import { colorOf, DEFAULT_MINUTES, MOST_EVENTS, MOST_NAMES, PALETTE } from '../constants.ts';
import { CalendarEventContact } from './calendar-event-contact.ts';
import { CalendarPartner } from './res-partner.ts';

const DAY = 24 * 60 * MINUTE;

/** Event for display in calendars. Extensions that add events of other models use string ids. */
export interface CalendarEntry {
  readonly id: Id | string;
  readonly title: string;
  readonly start: Date;
  /** Null if not set; all-day events end at midnight after their last day. */
  readonly end: Date | null;
  readonly allDay: boolean;
  /** IANA zone of the event; the site's by default. */
  readonly timezone?: string;
  /** From 1 to 24. */
  readonly color: number;
  readonly attendees: readonly { readonly id: Id; readonly name: string }[];
  /** Calendars that contain the event, the main contact first. */
  readonly contacts: Ids;
  readonly location: string | null;
  /** Path of a page with details on this site. */
  readonly url: string | null;
}

/** Event in the calendars of its contacts. */
export class CalendarEvent extends model(
  'calendar.event',
  {
    name: f.char({ required: true, translate: true, label: 'Title' }),
    start: f.datetime({ timezone: '@site', required: true, index: true, label: 'Starts' }),
    stop: f.datetime({
      timezone: '@site',
      index: true,
      label: 'Ends',
      help: 'Leave empty for two hours after the start',
    }),
    allday: f.boolean({ label: 'All day' }),
    contact_ids: f.one2many('calendar.event.contact', 'event_id', {
      label: 'Contacts',
      order: 'sequence, id',
    }),
    attendee_ids: f.many2many('res.partner', { empty: 'none', label: 'Attendees' }),
    location: f.char({ translate: true, label: 'Location' }),
    description: f.text({ translate: true }),
    public: f.boolean({ default: true, label: 'Shown to visitors', index: true }),
    color: f.integer({
      min: 1,
      max: PALETTE,
      label: 'Colour',
      help: 'From 1 to 24. Leave empty to choose automatically.',
    }),
  },
  { order: 'start, id', label: 'Calendar event', search: ['name', 'location', 'description'] },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<CalendarEvent>>[],
  ): Promise<readonly Values<FieldsOf<CalendarEvent>>[]> {
    const prepared = await super.beforeCreate(values);
    const counts = await this.#eventsSoFar(prepared.filter(({ color }) => !color).map(mainContact));
    return prepared.map((value) => {
      const normalised = value.allday ? wholeDays(value) : value;
      if (value.color) return normalised;
      const contact = mainContact(value);
      const count = counts.get(contact) ?? 0;
      counts.set(contact, count + 1);
      return { ...normalised, color: colorOf(count) };
    });
  }

  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<CalendarEvent>>,
  ): Promise<Values<FieldsOf<CalendarEvent>>> {
    return super.beforeWrite(ids, values.allday ? wholeDays(values) : values);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { start, stop } of await this.read(ids, { select: { start: true, stop: true } })) {
      if (stop === null || stop >= start) continue;
      const message = 'An event can’t end before it starts.';
      throw new InvalidInput(message, { code: 'website.event_ends_first', fields: { stop: message } });
    }
  }

  /**
   * Returns the first `limit` events that overlap a range, in order and under the caller's access rights: in the calendar of `contact`, or
   * in all calendars if null. Other addons extend this method to add events of their own models.
   */
  async eventsFor(contact: Id | null, from: Date, to: Date, limit = MOST_EVENTS): Promise<CalendarEntry[]> {
    const rows = await this.find([...overlapping(from, to), ...(contact === null ? [] : inCalendarOf(contact))], {
      select: {
        name: true,
        start: true,
        stop: true,
        allday: true,
        color: true,
        location: true,
      },
      limit,
    });
    const ids = rows.map(({ id }) => id);
    const [people, contacts] = await Promise.all([this.#attendees(ids), this.#contacts(ids)]);
    return rows.map((row) => ({
      id: row.id,
      title: row.name,
      start: row.start,
      end: row.stop,
      allDay: row.allday,
      color: row.color ?? colorOf(0),
      attendees: people.get(row.id) ?? [],
      contacts: contacts.get(row.id)?.map(({ partner_id }) => partner_id) ?? [],
      location: row.location,
      url: null,
    }));
  }

  /** Attendees of each event. Employees see all; other users see themselves and contacts who agreed to be listed. */
  async #attendees(ids: Ids): Promise<Map<Id, CalendarEntry['attendees']>> {
    // Visitors can't read contacts. Only the names of contacts who agreed are read here.
    const system = this.ctx.sudo();
    const visiblePartners = this.ctx.has('base.group_user')
      ? []
      : (['|', ['calendar_public', '=', true], ['id', '=', this.ctx.user.partnerId ?? 0]] as const);
    const attendees = await system
      .model(CalendarEvent)
      .linked(ids, 'attendee_ids', visiblePartners, { limit: MOST_NAMES });
    const people = await system
      .model(CalendarPartner)
      .read([...new Set([...attendees.values()].flat())], { select: { name: true } });
    const names = new Map(people.map(({ id, name }) => [id, name]));
    return new Map(
      [...attendees].map(([event, partnerIds]) => [event, partnerIds.map((id) => ({ id, name: names.get(id) ?? '' }))]),
    );
  }

  /** Calendars of each event, the main contact first. */
  async #contacts(ids: Ids) {
    const links = await this.ctx.model(CalendarEventContact).find([['event_id', 'in', ids]], {
      select: { event_id: true, partner_id: true },
      limit: MOST_NAMES,
    });
    return Map.groupBy(links, ({ event_id }) => event_id);
  }

  /** Number of events per main contact; null counts events without one. */
  async #eventsSoFar(contacts: readonly (Id | null)[]): Promise<Map<Id | null, number>> {
    const counts = new Map<Id | null, number>();
    // Colours depend on all events, including those hidden from the caller.
    const links = this.ctx.sudo().model(CalendarEventContact);
    for (const contact of new Set(contacts)) {
      const events = this.ctx.sudo().model(CalendarEvent);
      counts.set(
        contact,
        contact === null ? await events.count([]) : await links.count([['partner_id', '=', contact]]),
      );
    }
    return counts;
  }
}

/** Events that overlap a range, with a duration of two hours if they have no end. */
function overlapping(from: Date, to: Date): Domain<FieldsOf<CalendarEvent>> {
  return [
    ['start', '<', to],
    '|',
    ['stop', '>', from],
    '|',
    ['start', '>=', from],
    '&',
    ['stop', '=', null],
    ['start', '>', earlier(from, DEFAULT_MINUTES * MINUTE)],
  ];
}

/** Shifts a moment into the past. For `now`, the page tracks how long its list is valid. */
function earlier(moment: Date | Now, milliseconds: number): Date {
  return 'plus' in moment ? moment.plus(-milliseconds) : new Date(moment.getTime() - milliseconds);
}

function inCalendarOf(contact: Id): Domain<FieldsOf<CalendarEvent>> {
  return [['contact_ids.partner_id', '=', contact]];
}

/** Main contact of a new event. */
function mainContact({ contact_ids = [] }: Values<FieldsOf<CalendarEvent>>): Id | null {
  const contacts = (contact_ids as readonly unknown[]).flatMap((command) => {
    const values = command instanceof Object && 'create' in command ? command.create : null;
    if (!(values instanceof Object) || !('partner_id' in values) || typeof values.partner_id !== 'number') return [];
    const sequence = 'sequence' in values && typeof values.sequence === 'number' ? values.sequence : 10;
    return [{ partner: values.partner_id, sequence }];
  });
  return contacts.sort((a, b) => a.sequence - b.sequence)[0]?.partner ?? null;
}

/** All-day events start at midnight and end at midnight after their last day, without a zone. */
function wholeDays(values: Values<FieldsOf<CalendarEvent>>): Values<FieldsOf<CalendarEvent>> {
  const { start, stop } = values;
  if (!(start instanceof Date)) return values;
  const first = Math.floor(start.getTime() / DAY) * DAY;
  const last = stop instanceof Date ? Math.ceil(stop.getTime() / DAY) * DAY : first;
  return { ...values, start: new Date(first), stop: new Date(Math.max(last, first + DAY)) };
}

declare module 'pergola' {
  interface Models {
    'calendar.event': CalendarEvent;
  }
}
