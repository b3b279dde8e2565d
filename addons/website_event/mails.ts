import { emailKey, type Id, mail } from 'pergola';

/** Event details used in every email about an event. */
export interface EventFacts {
  readonly event: string;
  readonly when: string;
  readonly place: string;
  /** Link for joining an online event, with an empty URL if the organiser hasn't entered one; null for events on site. */
  readonly online: { readonly url: string } | null;
  /** Path of the event page, without language. */
  readonly path: string;
}

export interface WaitingValues extends EventFacts {
  readonly name: string;
  readonly ticket: string;
  readonly seats: number;
  /** Page of the waiting list entry. */
  readonly own: string;
  /** When the offer expires; empty in the first email. */
  readonly until: string;
  /** Whether the whole event is cancelled; only used in the last email. */
  readonly isCancelled: boolean;
}

export const waitingJoined = mail<WaitingValues>('website_event.waiting_joined', {
  subject: 'You’re on the waiting list: {event}',
  template: 'website_event.mail_waiting_joined',
});
export const waitingOffer = mail<WaitingValues>('website_event.waiting_offer', {
  subject: 'Seats available for you: {event}',
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
  /** Link to the tickets as a PDF file. */
  readonly file: string;
  /** Page for changing a single ticket; empty for several tickets, which are listed on the order page. */
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
  /** Whether the event was cancelled, rather than a single registration. */
  readonly whole: boolean;
  /** The recipient's order with tickets for the event; null for people who didn't place the order themselves. */
  readonly order: {
    readonly reference: string;
    /** Whether the order was awaiting payment. */
    readonly unpaid: boolean;
    /** Formatted refund amount; empty if nothing was paid. */
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

/** Key that limits cancellation notices to one email per event and address, however the address is spelled. */
export function cancellationKey(event: Id, email: string): string {
  return `${event}:${emailKey(email)}`;
}
export const handedOverMail = mail<EventFacts & { readonly name: string }>('website_event.handed_over', {
  subject: 'Your ticket has been transferred: {event}',
  template: 'website_event.mail_handed_over',
  hourly: 100,
  excess: 'later',
});
export const reminderMail = mail<TicketsValues>('website_event.reminder', {
  subject: 'Reminder: {event}',
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
