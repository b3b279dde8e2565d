import { isTimezone } from '@pergola/base';
import { Followers } from '@pergola/mail';
import { reviewOpenOrders } from '@pergola/sale';
import { beside, CalendarSequence, MINUTE, MultiWebsite, Published, Seo } from '@pergola/website';
import {
  Conflict,
  type Ctx,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  model,
  NotFound,
  slugify,
  type Values,
} from 'pergola';
import { offerSeatsJob } from '../jobs/offer-seats.ts';
import { tellChangesJob } from '../jobs/tell-changes.ts';
import type { EventFacts } from '../mails.ts';
import { EventCancellations } from '../services/event-cancellations.ts';
import { whenOf } from '../services/event-dates.ts';
import { placesOf } from '../services/places.ts';
import { type SeatFields, Seats, seatFields, seatsLeft } from '../services/seats.ts';
import { WaitingOffers } from '../services/waiting-offers.ts';
import { t } from '../texts.ts';
import { EventType, paidCancellations } from './event-type.ts';

/** Minutes between a change and the notification about it. */
const changeMinutes = 10;

/** When and where an event takes place. */
const whereabouts = ['date_begin', 'date_end', 'date_tz', 'address_id'] as const;

/** An event people attend, on site or online, with one or more ticket types. */
export class EventEvent extends model(
  'event.event',
  {
    name: f.char({ required: true, translate: true, size: 120, label: 'Event' }),
    summary: f.char({
      translate: true,
      size: 300,
      label: 'Summary',
      help: 'Shown in lists and search results',
    }),
    description: f.html({ translate: true, sanitize: 'page' }),
    image: f.image({ label: 'Image' }),
    state: f.selection(
      { draft: 'Unconfirmed', confirm: 'Confirmed', done: 'Done', cancel: 'Cancelled' },
      {
        default: 'draft',
        readonly: true,
        copy: false,
        tracked: true,
        label: 'Status',
        colors: { confirm: 'info', done: 'success', cancel: 'danger' },
      },
    ),
    type: f.many2one('event.type', { ondelete: 'restrict', index: true, label: 'Type' }),
    date_begin: f.datetime({ required: true, index: true, tracked: true, timezone: 'date_tz', label: 'Starts' }),
    date_end: f.datetime({ required: true, index: true, tracked: true, timezone: 'date_tz', label: 'Ends' }),
    begin_day: f.localDay('date_begin', 'date_tz', { index: true, label: 'First day' }),
    end_day: f.localDay('date_end', 'date_tz', { isEnd: true, label: 'Last day' }),
    date_tz: f.char({
      required: true,
      size: 64,
      default: (ctx) => ctx.siteTimezone,
      label: 'Time zone',
      help: 'Time zone of the venue. Event times are entered and shown in it.',
    }),
    user_id: f.many2one('res.users', { empty: 'none', label: 'Responsible', groups: 'base.group_user' }),
    organizer_id: f.many2one('res.partner', {
      empty: 'none',
      index: true,
      default: organiserContact,
      label: 'Organiser',
    }),
    address_id: f.many2one('res.partner', {
      ondelete: 'restrict',
      index: true,
      tracked: true,
      label: 'Venue',
      help: 'Leave empty for an online event',
    }),
    country_id: f.many2one('res.country', {
      compute: 'computeCountries',
      depends: ['address_id.country_id'],
      store: true,
      index: true,
    }),
    is_online: f.boolean({
      compute: 'computeOnline',
      depends: ['address_id'],
      store: true,
      index: true,
      label: 'Online',
    }),
    online_url: f.char({
      size: 500,
      label: 'Link to join',
      help: 'For online events. Sent to ticket holders.',
      groups: 'base.group_user',
    }),
    reply_to: f.char({
      size: 254,
      label: 'Reply-to',
      help: 'Leave empty to use the company’s email address',
      groups: 'base.group_user',
    }),
    seats_max: f.integer({ default: 0, min: 0, label: 'Seats', help: '0 for no limit' }),
    seats_min: f.integer({ default: 0, min: 0, label: 'Minimum attendees' }),
    seats_reserved: f.integer({ compute: 'computeSeats', label: 'Confirmed seats', groups: staff() }),
    seats_used: f.integer({ compute: 'computeSeats', label: 'Checked in', groups: staff() }),
    seats_unconfirmed: f.integer({ compute: 'computeSeats', label: 'Unconfirmed seats', groups: staff() }),
    seats_available: f.integer({ compute: 'computeSeats', label: 'Seats left', groups: staff() }),
    seats_left: f.char({ compute: 'computeSeats', label: 'Seats left', groups: staff() }),
    change_hours: f.integer({
      default: 24,
      min: 0,
      label: 'Change deadline (hours before)',
      help: 'Until then, ticket holders can transfer or cancel their tickets',
      groups: 'base.group_user',
    }),
    cancel_paid: f.selection(paidCancellations, {
      default: 'request',
      label: 'Cancellation of paid tickets',
      help: 'Holders can always cancel free tickets. Refunds are up to your team.',
      groups: 'base.group_user',
    }),
    show_menu: f.boolean({ label: 'Event menu', help: 'Shows the event’s pages in a menu' }),
    twitter_hashtag: f.char({ size: 80, label: 'Hashtag' }),
    page_ids: f.one2many('event.event.page', 'event_id', { label: 'Pages', copy: true }),
    event_ticket_ids: f.one2many('event.event.ticket', 'event_id', { label: 'Tickets', copy: true }),
    registration_ids: f.one2many('event.registration', 'event_id', { label: 'Registrations', groups: staff() }),
    waiting_ids: f.one2many('event.waiting', 'event_id', { label: 'Waiting list', groups: staff() }),
  },
  {
    order: 'date_begin, id',
    label: 'Event',
    search: ['name', 'summary', 'description'],
    mixins: [Published, Seo, MultiWebsite, Followers, CalendarSequence],
    // Includes the end, so the index alone can skip past events.
    indexes: [['website_published', 'date_begin', 'id', 'date_end']],
  },
) {
  /** Events whose time or place is changing; see `moved`. */
  readonly #moving = new Set<Id>();

  /** Fills missing values from the event type. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<EventEvent>>[],
  ): Promise<readonly Values<FieldsOf<EventEvent>>[]> {
    const types = await this.ctx.model(EventType).read(
      values.flatMap(({ type }) => (typeof type === 'number' ? [type] : [])),
      {
        select: {
          default_reply_to: true,
          default_registration_min: true,
          default_registration_max: true,
          default_change_hours: true,
          default_cancel_paid: true,
        },
      },
    );
    const typesById = new Map(types.map((type) => [type.id, type]));
    return super.beforeCreate(
      values.map((value) => {
        const type = typesById.get(value.type ?? 0);
        const defaults = type && {
          reply_to: type.default_reply_to,
          seats_min: type.default_registration_min,
          seats_max: type.default_registration_max,
          change_hours: type.default_change_hours,
          cancel_paid: type.default_cancel_paid,
        };
        return { user_id: this.ctx.user.id, ...defaults, ...value };
      }),
    );
  }

  override calendarFields(): readonly string[] {
    return ['state', 'date_begin', 'date_end', 'date_tz', 'address_id', 'online_url'];
  }

  /** Remembers which events change their time or place. */
  override async beforeWrite(ids: Ids, values: Values<FieldsOf<EventEvent>>): Promise<Values<FieldsOf<EventEvent>>> {
    if (whereabouts.some((field) => field in values)) {
      const select = { date_begin: true, date_end: true, date_tz: true, address_id: true } as const;
      for (const row of await this.read(ids, { select }))
        if (whereabouts.some((field) => field in values && !isUnchanged(row[field], values[field])))
          this.#moving.add(row.id);
    }
    return super.beforeWrite(ids, values);
  }

  /**
   * Must be called after the time or place of events has changed, or the address of their venue. Notifies ticket holders a few minutes
   * later, so that two changes cause a single email, and reviews orders awaiting payment.
   */
  async moved(ids: Ids): Promise<void> {
    if (ids.length === 0) return;
    const confirmed = await this.search([
      ['id', 'in', ids],
      ['state', '=', 'confirm'],
    ]);
    const runAt = new Date(this.ctx.now().getTime() + changeMinutes * MINUTE);
    for (const event of confirmed)
      await this.ctx.jobs.enqueue(tellChangesJob, { event }, { key: String(event), at: runAt });
    await reviewOpenOrders(this.ctx, [['order_line.event_ticket_id.event_id', 'in', ids]]);
  }

  /** Updates orders and the waiting list when an event is cancelled, set to draft, moved, unpublished or reinstated. */
  override async afterWrite(ids: Ids, values: Values<FieldsOf<EventEvent>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.state === 'cancel') await this.ctx.get(EventCancellations).carryOut(ids);
    await this.moved(ids.filter((id) => this.#moving.delete(id)));
    if (['state', 'website_published', 'website_id'].some((field) => field in values))
      await reviewOpenOrders(this.ctx, [['order_line.event_ticket_id.event_id', 'in', ids]]);
    if (!['state', 'website_published', 'date_end'].some((field) => field in values)) return;
    await this.ctx.get(WaitingOffers).closeEnded(ids);
    await this.seatsCameFree(ids);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await this.ctx.get(WaitingOffers).tellDeleted([['event_id', 'in', ids]]);
    await super.beforeUnlink(ids);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const select = { date_begin: true, date_end: true, date_tz: true, reply_to: true, online_url: true } as const;
    for (const event of await this.read(ids, { select })) {
      if (event.date_end < event.date_begin) {
        throw beside(
          'date_end',
          new InvalidInput('The event must end after it starts.', { code: 'website_event.ends_first' }),
        );
      }
      if (!isTimezone(event.date_tz)) {
        throw beside('date_tz', new InvalidInput('Choose a valid time zone.', { code: 'website_event.bad_tz' }));
      }
      if (event.online_url && !isWebAddress(event.online_url)) {
        const refusal = new InvalidInput('Enter a link that starts with https:// or http://.', {
          code: 'website_event.bad_link',
        });
        throw beside('online_url', refusal);
      }
      if (event.reply_to && !isEmailAddress(event.reply_to)) {
        const refusal = new InvalidInput('Enter a valid email address.', { code: 'website_event.bad_email' });
        throw beside('reply_to', refusal);
      }
    }
    if (!changed.has('seats_max')) return;
    await this.requireSeats(ids);
    await this.seatsCameFree(ids);
  }

  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, `/event/${slugOf(name, id)}`]));
  }

  async computeCountries(ids: Ids): Promise<Map<Id, Id | null>> {
    // The venue of an event is public; the contact that holds the address is not.
    const rows = await this.ctx
      .sudo()
      .model(EventEvent)
      .read(ids, { select: { address_id: { country_id: true } } });
    return new Map(rows.map(({ id, address_id }) => [id, address_id?.country_id ?? null]));
  }

  async computeOnline(ids: Ids): Promise<Map<Id, boolean>> {
    const rows = await this.read(ids, { select: { address_id: true } });
    return new Map(rows.map(({ id, address_id }) => [id, address_id === null]));
  }

  /** Computes the seat counts; `seats_available` is 0 for unlimited events, as in the original. */
  async computeSeats(ids: Ids): Promise<Map<Id, SeatFields>> {
    const seats = await this.ctx.get(Seats).of(ids);
    return new Map(
      [...seats].map(([id, eventSeats]) => {
        const fields = seatFields(this.ctx, eventSeats, seatsLeft(eventSeats));
        return [id, { ...fields, seats_available: fields.seats_available ?? 0 }];
      }),
    );
  }

  /**
   * Verifies that events and their tickets have enough seats for all registrations and carts.
   *
   * @throws InvalidInput naming the ticket or event that is short of seats
   */
  async requireSeats(ids: Ids): Promise<void> {
    if (ids.length === 0) return;
    await this.ctx.lock(EventEvent, ids);
    for (const [event, { tickets, ...seats }] of await this.ctx.get(Seats).of(ids)) {
      const short = [...tickets].find(([, { free }]) => free !== null && free < 0)?.[0];
      if (short === undefined && (seats.free === null || seats.free >= 0)) continue;
      const names = this.ctx.sudo().model(short === undefined ? 'event.event' : 'event.event.ticket');
      const name = (await names.displayNames([short ?? event])).get(short ?? event) ?? '';
      throw new InvalidInput('There are not enough seats left for “{name}”.', {
        code: 'website_event.no_seats',
        params: { name },
      });
    }
  }

  /** Must be called when seats may have become free: offers them to the waiting list after the commit. */
  async seatsCameFree(ids: Ids): Promise<void> {
    for (const event of new Set(ids)) {
      // Checks the waiting list without access restrictions: users who free a seat may not have access to it.
      const waiting = await this.ctx
        .sudo()
        .model('event.waiting')
        .count([
          ['event_id', '=', event],
          ['state', '=', 'waiting'],
        ]);
      if (waiting > 0) await this.ctx.jobs.enqueue(offerSeatsJob, { event }, { key: String(event) });
    }
  }

  /** Event details in emails and on tickets, for people who hold or wait for a ticket, whether or not the event is published. */
  async facts(id: Id): Promise<EventFacts> {
    const facts = (await this.factsOf([id])).get(id);
    if (!facts) throw new NotFound('We can’t find this event.', { code: 'website_event.no_event' });
    return facts;
  }

  /** Same as `facts`, for several events. */
  async factsOf(ids: Ids): Promise<ReadonlyMap<Id, EventFacts>> {
    const reader = this.ctx.sudo();
    const events = await reader.model(EventEvent).read(ids, {
      select: {
        name: true,
        date_begin: true,
        date_end: true,
        date_tz: true,
        address_id: true,
        website_url: true,
        online_url: true,
      },
    });
    const addresses = new Set(events.flatMap(({ address_id }) => address_id ?? []));
    const places = await placesOf(reader, [...addresses]);
    const facts = events.map((event): [Id, EventFacts] => {
      const place = places.get(event.address_id ?? 0);
      return [
        event.id,
        {
          event: event.name,
          when: whenOf(reader, event).zoned,
          place: place ? [place.name, ...place.lines].join(', ') : t(reader, 'Online'),
          online: place ? null : { url: event.online_url ?? '' },
          path: `${event.website_url}/register`,
        },
      ];
    });
    return new Map(facts);
  }

  /** Sets the event back to draft, which stops ticket sales. */
  async button_draft(ids: Ids): Promise<void> {
    await this.write(ids, { state: 'draft' });
  }

  /** Confirms the event, which starts ticket sales. */
  async button_confirm(ids: Ids): Promise<void> {
    await this.write(ids, { state: 'confirm' });
  }

  /** Marks the event as finished. */
  async button_done(ids: Ids): Promise<void> {
    await this.write(ids, { state: 'done' });
  }

  /**
   * Cancels the event and its registrations, and notifies all buyers and ticket holders. For the effect on orders, see
   * `EventCancellations`.
   *
   * @throws Conflict if anyone has already attended
   */
  async button_cancel(ids: Ids): Promise<void> {
    // Locks orders before their event, in the same sequence as payments.
    await this.ctx.lock('sale.order', await this.ctx.get(EventCancellations).ordersOf(ids));
    await this.ctx.lock(EventEvent, ids);
    const registrations = this.ctx.model('event.registration');
    const attended = await registrations.count([
      ['event_id', 'in', ids],
      ['state', '=', 'done'],
    ]);
    if (attended > 0) {
      throw new Conflict(
        'Attendees have already checked in, so this event can’t be cancelled. Undo their check-ins first.',
        {
          code: 'website_event.attended',
        },
      );
    }
    const open = await this.search([
      ['id', 'in', ids],
      ['state', '!=', 'cancel'],
    ]);
    await this.write(open, { state: 'cancel' });
  }
}

/** Whether a field keeps its value; dates are compared by timestamp. */
function isUnchanged(before: Date | string | number | null, after: unknown): boolean {
  return before instanceof Date
    ? after instanceof Date && before.getTime() === after.getTime()
    : before === (after ?? null);
}

/** URL slug of a record. */
function slugOf(name: string, id: Id): string {
  const slug = slugify(name);
  return slug === '' ? String(id) : `${slug}-${id}`;
}

function staff(): string {
  return 'website_event.group_event_user';
}

/** The contact of the company, which organises most events. */
async function organiserContact(ctx: Ctx): Promise<Id> {
  return ctx.ref('base.main_partner');
}

function isWebAddress(text: string): boolean {
  const address = URL.parse(text);
  return address !== null && (address.protocol === 'https:' || address.protocol === 'http:');
}

declare module 'pergola' {
  interface Models {
    'event.event': EventEvent;
  }
}
