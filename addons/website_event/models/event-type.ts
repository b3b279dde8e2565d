import { f, model } from 'pergola';

/** How cancellation requests for paid tickets are handled. */
export const paidCancellations = {
  request: 'On request',
  at_once: 'By the holder',
  no: 'Not allowed',
} as const;

/** An event type such as conference, exhibition or training. New events start with its defaults. */
export class EventType extends model(
  'event.type',
  {
    name: f.char({ required: true, translate: true, label: 'Event type' }),
    sequence: f.integer({ default: 10 }),
    default_reply_to: f.char({
      label: 'Reply-to',
      help: 'Email address of the organiser of these events',
    }),
    default_registration_min: f.integer({ default: 0, min: 0, label: 'Minimum attendees' }),
    default_registration_max: f.integer({ default: 0, min: 0, label: 'Seats', help: '0 for no limit' }),
    default_change_hours: f.integer({
      default: 24,
      min: 0,
      label: 'Change deadline (hours before)',
      help: 'Until then, ticket holders can transfer or cancel their tickets',
    }),
    default_cancel_paid: f.selection(paidCancellations, { default: 'request', label: 'Cancellation of paid tickets' }),
    event_ids: f.one2many('event.event', 'type', { label: 'Events' }),
  },
  { order: 'sequence, name, id', label: 'Event type' },
) {}

declare module 'pergola' {
  interface Models {
    'event.type': EventType;
  }
}
