import { emailKey, type Id, mail } from 'pergola';

/** What every mail about an event says of it. */
export interface EventFacts {
  readonly event: string;
  readonly when: string;
  readonly place: string;
  /** How an event without a place is joined: the link, empty while the organiser has given none; null for others. */
  readonly online: { readonly url: string } | null;
  /** Its page, without language. */
  readonly path: string;
}

export interface WaitingValues extends EventFacts {
  readonly name: string;
  readonly ticket: string;
  readonly seats: number;
  /** The page of the place on the list. */
  readonly own: string;
  /** Until when an offer holds; empty in the first mail. */
  readonly until: string;
  /** Whether the whole event is cancelled; of the last mail. */
  readonly isCancelled: boolean;
}

export const waitingJoined = mail<WaitingValues>('website_event.waiting_joined', {
  subject: 'You are on the waiting list: {event}',
  template: 'website_event.mail_waiting_joined',
});
export const waitingOffer = mail<WaitingValues>('website_event.waiting_offer', {
  subject: 'There are seats for you: {event}',
  template: 'website_event.mail_waiting_offer',
});
export const waitingClosed = mail<WaitingValues>('website_event.waiting_closed', {
  subject: 'The waiting list is closed: {event}',
  template: 'website_event.mail_waiting_closed',
  hourly: 100,
  excess: 'later',
});

export interface TicketsValues extends EventFacts {
  readonly name: string;
  readonly tickets: readonly { readonly attendee: string; readonly ticket: string; readonly code: string }[];
  /** The tickets as a file. */
  readonly file: string;
  /** The page where a single ticket is changed; empty for several, which stand on the page of their order. */
  readonly own: string;
  readonly calendar: string;
}

export const ticketsMail = mail<TicketsValues>('website_event.tickets', {
  subject: 'Your tickets: {event}',
  template: 'website_event.mail_tickets',
  hourly: 100,
  excess: 'later',
});
export interface CancelledValues extends EventFacts {
  readonly name: string;
  /** Whether the event was cancelled, not only a registration. */
  readonly whole: boolean;
  /** The order with tickets for it, for who placed it; null for other people who had a ticket. */
  readonly order: {
    readonly reference: string;
    /** Whether its payment was awaited. */
    readonly unpaid: boolean;
    /** Formatted: what is refunded; empty if nothing was paid. */
    readonly refund: string;
    /** Whether the order has other items. */
    readonly mixed: boolean;
    readonly path: string;
  } | null;
}
export const cancelledMail = mail<CancelledValues>('website_event.cancelled', {
  subject: 'Cancelled: {event}',
  template: 'website_event.mail_cancelled',
  hourly: 100,
  excess: 'later',
});

export const waitingChanged = mail<WaitingValues>('website_event.waiting_changed', {
  subject: 'Changed: {event}',
  template: 'website_event.mail_waiting_changed',
  hourly: 100,
  excess: 'later',
});

/** Who hears of a cancellation: one mail for each event and address, however the address is written. */
export function cancellationKey(event: Id, email: string): string {
  return `${event}:${emailKey(email)}`;
}
export const handedOverMail = mail<EventFacts & { readonly name: string }>('website_event.handed_over', {
  subject: 'Your ticket went to somebody else: {event}',
  template: 'website_event.mail_handed_over',
  hourly: 100,
  excess: 'later',
});
export const reminderMail = mail<TicketsValues>('website_event.reminder', {
  subject: 'Soon: {event}',
  template: 'website_event.mail_reminder',
  hourly: 100,
  excess: 'later',
});
export const changedMail = mail<EventFacts & { readonly name: string }>('website_event.changed', {
  subject: 'Changed: {event}',
  template: 'website_event.mail_changed',
  hourly: 100,
  excess: 'later',
});
