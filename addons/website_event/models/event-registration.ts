import { randomBytes } from 'node:crypto';
import { Followers } from '@pergola/mail';
import { beside, HOUR } from '@pergola/website';
import {
  Conflict,
  emailKey,
  escapeHtml,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  model,
  NotAllowed,
  type Values,
} from 'pergola';
import { sendTicketsJob } from '../jobs/send-tickets.ts';
import { cancellationKey, cancelledMail, handedOverMail } from '../mails.ts';
import { ticketsPath } from '../services/ticket-links.ts';
import { t } from '../texts.ts';
import { EventEvent } from './event-event.ts';
import type { paidCancellations } from './event-type.ts';

/** Characters that can't be confused with each other. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const codeLength = 16;

/** One person's place at an event. */
export class EventRegistration extends model(
  'event.registration',
  {
    event_id: f.many2one('event.event', { required: true, ondelete: 'restrict', index: true }),
    event_ticket_id: f.many2one('event.event.ticket', { ondelete: 'restrict', index: true, label: 'Ticket' }),
    name: f.char({ size: 120, label: 'Attendee', index: true, tracked: true }),
    email: f.char({ size: 254, index: true, label: 'Email', tracked: true }),
    phone: f.char({ size: 64 }),
    partner_id: f.many2one('res.partner', { empty: 'none', index: true, label: 'Ordered by' }),
    user_id: f.many2one('res.users', { empty: 'none', label: 'Responsible' }),
    sale_order_id: f.many2one('sale.order', { empty: 'none', index: true, readonly: true, label: 'Order' }),
    sale_order_line_id: f.many2one('sale.order.line', {
      empty: 'none',
      index: true,
      readonly: true,
      label: 'Order line',
    }),
    origin: f.char({ size: 64, readonly: true, label: 'Order number' }),
    lang: f.char({ size: 10, label: 'Language' }),
    state: f.selection(
      { draft: 'Unconfirmed', open: 'Confirmed', done: 'Attended', cancel: 'Cancelled' },
      {
        default: 'draft',
        readonly: true,
        copy: false,
        tracked: true,
        index: true,
        label: 'Status',
        colors: { open: 'info', done: 'success', cancel: 'danger' },
      },
    ),
    barcode: f.char({ readonly: true, unique: true, size: codeLength, label: 'Ticket code' }),
    cancel_asked: f.datetime({
      readonly: true,
      copy: false,
      tracked: true,
      label: 'Cancellation requested',
      help: 'The holder of a paid ticket asked to cancel it',
    }),
    date_open: f.datetime({ readonly: true, copy: false, label: 'Registered on' }),
    date_closed: f.datetime({ readonly: true, copy: false, label: 'Checked in' }),
    checked_by: f.many2one('res.users', { empty: 'none', readonly: true, copy: false, label: 'Checked in by' }),
    ticket_url: f.char({
      compute: 'computeTicketUrl',
      groups: 'website_event.group_event_user',
      label: 'Ticket (PDF)',
    }),
  },
  {
    order: 'id desc',
    label: 'Registration',
    nameField: 'name',
    search: ['name', 'email', 'origin', 'barcode'],
    mixins: [Followers],
    indexes: [
      ['event_id', 'state'],
      ['event_ticket_id', 'state'],
    ],
  },
) {
  /** Link for printing the ticket; anyone who has it can use the ticket. */
  async computeTicketUrl(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { barcode: true } });
    return new Map(rows.map(({ id, barcode }) => [id, ticketsPath(this.ctx, [id], `code:${barcode}`)]));
  }

  override async beforeCreate(
    values: readonly Values<FieldsOf<EventRegistration>>[],
  ): Promise<readonly Values<FieldsOf<EventRegistration>>[]> {
    // Locks the events up front, because their seats are counted afterwards: waiting happens before any change.
    await this.ctx.lock(
      EventEvent,
      values.flatMap(({ event_id }) => event_id ?? []),
    );
    const now = this.ctx.now();
    return super.beforeCreate(
      values.map((value) => ({
        ...value,
        barcode: newCode(),
        ...(value.state === 'open' || value.state === 'done' ? { date_open: value.date_open ?? now } : {}),
      })),
    );
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, {
      select: { event_id: true, event_ticket_id: { event_id: true }, email: true },
    });
    for (const { event_id, event_ticket_id, email } of rows) {
      if (event_ticket_id && event_ticket_id.event_id !== event_id) {
        const refusal = new InvalidInput('This ticket is for another event.', { code: 'website_event.other_event' });
        throw beside('event_ticket_id', refusal);
      }
      if (email && !isEmailAddress(email)) {
        const refusal = new InvalidInput('Enter a valid email address.', { code: 'website_event.bad_email' });
        throw beside('email', refusal);
      }
    }
    const seats = ['state', 'event_id', 'event_ticket_id'];
    if (seats.some((field) => changed.has(field))) {
      await this.ctx.model(EventEvent).requireSeats([...new Set(rows.map(({ event_id }) => event_id))]);
      await this.#refuseCancelled(ids);
    }
  }

  /**
   * The caller must hold the event locks.
   *
   * @throws Conflict for a valid ticket of a cancelled event
   */
  async #refuseCancelled(ids: Ids): Promise<void> {
    const row = await this.ctx
      .sudo() // Attendees may know whether their event takes place.
      .model(EventRegistration)
      .first(
        [
          ['id', 'in', ids],
          ['state', '=', 'open'],
          ['event_id.state', '=', 'cancel'],
        ],
        { select: { event_id: { name: true } } },
      );
    if (!row) return;
    throw new Conflict('“{event}” has been cancelled, so you can’t add registrations.', {
      code: 'website_event.event_cancelled',
      params: { event: row.event_id?.name ?? '' },
    });
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<EventRegistration>>): Promise<void> {
    await super.afterWrite(ids, values);
    const frees = values.state === 'cancel' || values.state === 'draft' || 'event_ticket_id' in values;
    if (frees) await this.#offerFreedSeats(ids);
  }

  /** Frees the seats of deleted registrations. */
  override async beforeUnlink(ids: Ids): Promise<void> {
    await this.#offerFreedSeats(ids);
    await super.beforeUnlink(ids);
  }

  async #offerFreedSeats(ids: Ids): Promise<void> {
    const rows = await this.read(ids, { select: { event_id: true } });
    await this.ctx.model(EventEvent).seatsCameFree(rows.map(({ event_id }) => event_id));
  }

  /** Back to unconfirmed, which frees the seat. */
  async do_draft(ids: Ids): Promise<void> {
    await this.write(ids, { state: 'draft', date_open: null, date_closed: null, checked_by: null });
  }

  /**
   * Confirms registrations manually, and sends their tickets.
   *
   * @throws InvalidInput if there are not enough seats
   */
  async registration_open(ids: Ids): Promise<void> {
    const waiting = await this.search([
      ['id', 'in', ids],
      ['state', 'in', ['draft', 'cancel']],
    ]);
    await this.write(waiting, { state: 'open', date_open: this.ctx.now() });
    await this.sendTickets(waiting);
  }

  /** Cancels registrations and notifies their ticket holders. */
  async button_reg_cancel(ids: Ids): Promise<void> {
    await this.cancelAll(ids, 'registration');
  }

  /**
   * @param because reason stated in the email: the registration or the whole event was cancelled
   * @param notifiedKeys `cancellationKey` of people who are notified separately
   */
  async cancelAll(
    ids: Ids,
    because: 'registration' | 'event',
    notifiedKeys: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const rows = await this.find(
      [
        ['id', 'in', ids],
        ['state', 'in', ['draft', 'open']],
      ],
      { select: { state: true } },
    );
    await this.write(
      rows.map(({ id }) => id),
      { state: 'cancel', cancel_asked: null },
    );
    const holders = rows.filter(({ state }) => state === 'open').map(({ id }) => id);
    await this.tellOfCancellation(holders, because, notifiedKeys);
  }

  /** Sends the tickets as PDF files after the commit; `again` allows sending them more than once. */
  async sendTickets(ids: Ids, { again: resend = false }: { again?: boolean } = {}): Promise<void> {
    if (ids.length === 0) return;
    await this.ctx.jobs.enqueue(sendTicketsJob, {
      registrations: [...ids],
      ...(resend ? { again: this.ctx.now().getTime() } : {}),
    });
  }

  /** Returns how the holder can change each ticket. The caller must have verified the holder. */
  async holderRights(ids: Ids): Promise<Map<Id, HolderRights>> {
    const rows = await this.ctx
      .sudo() // As above.
      .model(EventRegistration)
      .read(ids, {
        select: {
          state: true,
          cancel_asked: true,
          event_ticket_id: { price: true },
          sale_order_line_id: { price_total: true },
          event_id: { state: true, date_begin: true, date_tz: true, change_hours: true, cancel_paid: true },
        },
      });
    return new Map(
      rows.map(({ id, state, cancel_asked, event_ticket_id: ticket, sale_order_line_id: line, event_id: event }) => {
        const until = new Date((event?.date_begin.getTime() ?? 0) - (event?.change_hours ?? 0) * HOUR);
        const change = state === 'open' && event?.state === 'confirm' && !this.ctx.isPast(until);
        const paid = line ? line.price_total !== 0 : Number(ticket?.price ?? 0) !== 0;
        const cancellation = paid ? (event?.cancel_paid ?? 'request') : 'at_once';
        return [
          id,
          { change, until, zone: event?.date_tz ?? 'UTC', paid, cancel: change && !cancel_asked ? cancellation : 'no' },
        ];
      }),
    );
  }

  /**
   * Transfers a ticket to a new attendee, who gets it by email with a new code; the old code becomes invalid. Holders can do this until the
   * deadline of the event.
   *
   * @throws Conflict if it is too late, or the ticket is not valid
   * @throws InvalidInput for `name` or `email`
   */
  async handOver(id: Id, { name, email }: { readonly name: string; readonly email: string }): Promise<void> {
    const registration = await this.#requireChangeable(id);
    if (registration.name === name && registration.email && emailKey(registration.email) === emailKey(email)) return;
    await this.write(id, { name, email, phone: null, barcode: newCode() });
    await this.sendTickets([id], { again: true });
    const informedKeys = [email, registration.sale_order_id?.invoice_email].map(
      (address) => address && emailKey(address),
    );
    if (!registration.email || informedKeys.includes(emailKey(registration.email))) return;
    const lang = registration.lang ?? this.ctx.lang;
    await this.messageMail(id, handedOverMail, {
      to: { email: registration.email, name: registration.name ?? undefined, lang },
      values: {
        ...(await this.ctx.as({ lang }).model(EventEvent).facts(registration.event_id)),
        name: registration.name ?? '',
      },
    });
  }

  /**
   * Cancels a ticket at the holder's request if the event allows it. Otherwise notes a request in the history of the registration, so staff
   * can cancel and refund it.
   *
   * @throws Conflict if it is too late, the ticket is not valid, or the event doesn't accept cancellations
   */
  async giveBack(id: Id, reason: string): Promise<'cancelled' | 'asked'> {
    const registration = await this.#requireChangeable(id);
    const cancellation = (await this.holderRights([id])).get(id)?.cancel;
    if (cancellation === 'no' || cancellation === undefined)
      throw new Conflict('This ticket can’t be cancelled.', { code: 'website_event.not_given_back' });
    const { user_id } = await this.ctx
      .model(EventEvent)
      .get(registration.event_id, { select: { user_id: { partner_id: true } } });
    if (user_id?.partner_id) await this.messageSubscribe([id], [user_id.partner_id]);
    if (cancellation === 'request') await this.write(id, { cancel_asked: this.ctx.now() });
    const notice = t(
      this.ctx,
      cancellation === 'request' ? 'The holder asked to cancel this ticket.' : 'The holder has cancelled this ticket.',
    );
    await this.messagePost([id], {
      body: [notice, reason]
        .filter(Boolean)
        .map((line) => `<p>${escapeHtml(line)}</p>`)
        .join(''),
      authorId: registration.partner_id,
      published: false,
    });
    if (cancellation === 'request') return 'asked';
    await this.cancelAll([id], 'registration');
    return 'cancelled';
  }

  /** @throws Conflict if the holder can't change the ticket now */
  async #requireChangeable(id: Id) {
    await this.ctx.lock(EventRegistration, [id]);
    if (!(await this.holderRights([id])).get(id)?.change)
      throw new Conflict('This ticket can no longer be changed.', { code: 'website_event.too_late' });
    return this.get(id, {
      select: {
        name: true,
        email: true,
        lang: true,
        event_id: true,
        partner_id: true,
        sale_order_id: { invoice_email: true },
      },
    });
  }

  /** Notifies former ticket holders that their ticket is no longer valid, with one email per address and event. */
  async tellOfCancellation(
    ids: Ids,
    because: 'registration' | 'event',
    except: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    // Users who may cancel registrations may notify their holders.
    const rows = await this.ctx
      .sudo()
      .model(EventRegistration)
      .read(ids, { select: { name: true, email: true, lang: true, event_id: true } });
    const sentKeys = new Set<string>();
    for (const { id, name, email, lang: registrationLang, event_id } of rows) {
      if (!email) continue;
      const key = cancellationKey(event_id, email);
      if (sentKeys.has(key) || except.has(key)) continue;
      sentKeys.add(key);
      const lang = registrationLang ?? this.ctx.lang;
      const facts = await this.ctx.as({ lang }).model(EventEvent).facts(event_id);
      await this.messageMail(id, cancelledMail, {
        to: { email, name: name ?? undefined, lang },
        values: { ...facts, name: name ?? '', whole: because === 'event', order: null },
      });
    }
  }

  /**
   * Checks in attendees; each ticket works once.
   *
   * @throws Conflict for tickets that are invalid, cancelled or already used
   */
  async button_reg_close(ids: Ids): Promise<void> {
    for (const id of ids) {
      const { event_id, name } = await this.get(id, { select: { event_id: true, name: true } });
      const outcome = await this.checkIn(id, event_id);
      const params = { name: name ?? '' };
      if (outcome === 'already')
        throw new Conflict('“{name}” is already checked in.', { code: 'website_event.in_already', params });
      if (outcome !== 'in')
        throw new Conflict('The ticket for “{name}” isn’t valid.', { code: 'website_event.not_valid', params });
    }
  }

  /** Checks in one attendee if the ticket is valid, unused and for this event; otherwise returns the reason for the refusal. */
  async checkIn(id: Id, event: Id): Promise<CheckInOutcome> {
    this.#requireCheckInRights();
    await this.ctx.lock(EventRegistration, [id]);
    const { state, event_id } = await this.get(id, { select: { state: true, event_id: true } });
    if (event_id !== event) return 'elsewhere';
    if (state === 'done') return 'already';
    if (state !== 'open') return 'invalid';
    // Check-in staff may not change anything else about a registration.
    await this.ctx
      .sudo()
      .model(EventRegistration)
      .write(id, { state: 'done', date_closed: this.ctx.now(), checked_by: this.ctx.user.id });
    return 'in';
  }

  #requireCheckInRights(): void {
    if (this.ctx.has('website_event.group_event_door')) return;
    throw new NotAllowed('Only check-in staff can check attendees in.', { code: 'website_event.not_at_the_door' });
  }

  /** Finds the registration with a ticket code, in any event the caller can check in. */
  async byCode(text: string): Promise<{ id: Id; event_id: Id } | null> {
    const code = codeIn(text);
    return code === '' ? null : this.first([['barcode', '=', code]], { select: { event_id: true } });
  }

  /** Undoes an accidental check-in. */
  async undo_check_in(ids: Ids): Promise<void> {
    this.#requireCheckInRights();
    const inside = await this.search([
      ['id', 'in', ids],
      ['state', '=', 'done'],
    ]);
    // As above: check-in staff may not change anything else.
    const registrations = this.ctx.sudo().model(EventRegistration);
    await registrations.write(inside, { state: 'open', date_closed: null, checked_by: null });
  }

  /** Resends the tickets of confirmed registrations. Reserved for organisers, because buyers enter the addresses. */
  async resend_tickets(ids: Ids): Promise<void> {
    if (!this.ctx.has('website_event.group_event_user')) {
      throw new NotAllowed('Only organisers can resend tickets. Yours are on your order page.', {
        code: 'website_event.not_organiser',
      });
    }
    const open = await this.search([
      ['id', 'in', ids],
      ['state', 'in', ['open', 'done']],
    ]);
    await this.sendTickets(open, { again: true });
  }
}

/** Actions available to the holder of a ticket. */
export interface HolderRights {
  /** Whether the ticket can be transferred. */
  readonly change: boolean;
  /** Deadline for all changes. */
  readonly until: Date;
  /** Time zone of the deadline. */
  readonly zone: string;
  /** Whether the ticket was paid for. */
  readonly paid: boolean;
  /** How the ticket can be cancelled. */
  readonly cancel: keyof typeof paidCancellations;
}

/** Result of a check-in: admitted, already used, invalid or cancelled, for another event. */
export type CheckInOutcome = 'in' | 'already' | 'invalid' | 'elsewhere';

/** Generates an unguessable code with 80 bits of entropy. */
function newCode(): string {
  return [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** Extracts the code from scanned or typed text: with spaces and lower case, or as part of a check-in URL. */
export function codeIn(text: string): string {
  const address = URL.parse(text.trim());
  return (address?.searchParams.get('code') ?? text)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, codeLength);
}

declare module 'pergola' {
  interface Models {
    'event.registration': EventRegistration;
  }
}
