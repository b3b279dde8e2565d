import { type Domain, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import type { Now } from 'pergola/kernel';
import { MINUTE } from '../../services/durations.ts';
import { colorOf, DEFAULT_MINUTES, MOST_EVENTS, MOST_NAMES, PALETTE } from '../constants.ts';
import { CalendarEventContact } from './calendar-event-contact.ts';
import { CalendarPartner } from './res-partner.ts';

const DAY = 24 * 60 * MINUTE;

/** An event as calendars show it. Extensions that add events of other models give them ids of their own, as texts. */
export interface CalendarEntry {
  readonly id: Id | string;
  readonly title: string;
  readonly start: Date;
  /** Null where nobody said; all-day events end at midnight after their last day. */
  readonly end: Date | null;
  readonly allDay: boolean;
  /** IANA zone of the place; the site's if left out. */
  readonly timezone?: string;
  /** 1 to 24. */
  readonly color: number;
  readonly attendees: readonly { readonly id: Id; readonly name: string }[];
  /** Whose calendar it is in, the main contact first. */
  readonly contacts: Ids;
  readonly location: string | null;
  /** A path of this site that tells more. */
  readonly url: string | null;
}

/** Something that happens, in the calendars of its contacts. */
export class CalendarEvent extends model(
  'calendar.event',
  {
    name: f.char({ required: true, translate: true, label: 'Title' }),
    start: f.datetime({ timezone: '@site', required: true, index: true, label: 'Begins' }),
    stop: f.datetime({ timezone: '@site', index: true, label: 'Ends', help: 'Empty: after two hours' }),
    allday: f.boolean({ label: 'All day' }),
    contact_ids: f.one2many('calendar.event.contact', 'event_id', {
      label: 'Contacts',
      order: 'sequence, id',
    }),
    attendee_ids: f.many2many('res.partner', { empty: 'none', label: 'Attendees' }),
    location: f.char({ translate: true, label: 'Location' }),
    description: f.text({ translate: true }),
    public: f.boolean({ default: true, label: 'Shown to visitors', index: true }),
    color: f.integer({ min: 1, max: PALETTE, label: 'Colour', help: 'From 1 to 24; chosen when left out' }),
  },
  { order: 'start, id', label: 'Calendar event', search: ['name', 'location', 'description'] },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<CalendarEvent>>[],
  ): Promise<readonly Values<FieldsOf<CalendarEvent>>[]> {
    const given = await super.beforeCreate(values);
    const counts = await this.#eventsSoFar(given.filter(({ color }) => !color).map(mainContact));
    return given.map((value) => {
      const whole = value.allday ? wholeDays(value) : value;
      if (value.color) return whole;
      const contact = mainContact(value);
      const count = counts.get(contact) ?? 0;
      counts.set(contact, count + 1);
      return { ...whole, color: colorOf(count) };
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
      const message = 'An event cannot end before it begins.';
      throw new InvalidInput(message, { code: 'website.event_ends_first', fields: { stop: message } });
    }
  }

  /**
   * The events that touch a range of time, in order, as the caller may see them; those in the calendar of `contact`, or of everybody when it is
   * null; the first `limit` of them. Other addons put events of their own models in by an extension on this method.
   */
  async eventsFor(contact: Id | null, from: Date, to: Date, limit = MOST_EVENTS): Promise<CalendarEntry[]> {
    const rows = await this.find([...touching(from, to), ...(contact === null ? [] : inCalendarOf(contact))], {
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

  /** Who comes to each: employees see everybody; others themselves, and those who agreed to be named. */
  async #attendees(ids: Ids): Promise<Map<Id, CalendarEntry['attendees']>> {
    // Visitors may read no contacts; of those who agreed they may know the name, and nothing else is read here.
    const system = this.ctx.sudo();
    const shown = this.ctx.has('base.group_user')
      ? []
      : (['|', ['calendar_public', '=', true], ['id', '=', this.ctx.user.partnerId ?? 0]] as const);
    const attendees = await system.model(CalendarEvent).linked(ids, 'attendee_ids', shown, { limit: MOST_NAMES });
    const people = await system
      .model(CalendarPartner)
      .read([...new Set([...attendees.values()].flat())], { select: { name: true } });
    const names = new Map(people.map(({ id, name }) => [id, name]));
    return new Map([...attendees].map(([event, own]) => [event, own.map((id) => ({ id, name: names.get(id) ?? '' }))]));
  }

  /** The calendars that each event is in, the main contact first. */
  async #contacts(ids: Ids) {
    const links = await this.ctx.model(CalendarEventContact).find([['event_id', 'in', ids]], {
      select: { event_id: true, partner_id: true },
      limit: MOST_NAMES,
    });
    return Map.groupBy(links, ({ event_id }) => event_id);
  }

  /** How many events each of these main contacts has; null counts those without one. */
  async #eventsSoFar(contacts: readonly (Id | null)[]): Promise<Map<Id | null, number>> {
    const counts = new Map<Id | null, number>();
    // The colour follows the number of all events, also of those the caller may not see.
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

/** Events that touch a range; one without an end lasts two hours. */
function touching(from: Date, to: Date): Domain<FieldsOf<CalendarEvent>> {
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

/** Before a moment; where that is now, the page that asks knows how long its list holds. */
function earlier(moment: Date | Now, milliseconds: number): Date {
  return 'plus' in moment ? moment.plus(-milliseconds) : new Date(moment.getTime() - milliseconds);
}

function inCalendarOf(contact: Id): Domain<FieldsOf<CalendarEvent>> {
  return [['contact_ids.partner_id', '=', contact]];
}

/** Whose calendar an event that is being made is in first of all. */
function mainContact({ contact_ids = [] }: Values<FieldsOf<CalendarEvent>>): Id | null {
  const made = (contact_ids as readonly unknown[]).flatMap((command) => {
    const values = command instanceof Object && 'create' in command ? command.create : null;
    if (!(values instanceof Object) || !('partner_id' in values) || typeof values.partner_id !== 'number') return [];
    const sequence = 'sequence' in values && typeof values.sequence === 'number' ? values.sequence : 10;
    return [{ partner: values.partner_id, sequence }];
  });
  return made.sort((a, b) => a.sequence - b.sequence)[0]?.partner ?? null;
}

/** All-day events begin at midnight and end at midnight after their last day, in no zone. */
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
