import { f, model } from 'pergola';

/** How cancellation requests for paid tickets are handled. */
export const paidCancellations = {
  request: 'They ask, and we decide',
  at_once: 'They cancel it themselves',
  no: 'Not at all',
} as const;

/** An event type such as conference, exhibition or training. New events start with its defaults. */
export class EventType extends model(
  'event.type',
  {
    name: f.char({ required: true, translate: true, label: 'Kind of event' }),
    sequence: f.integer({ default: 10 }),
    default_reply_to: f.char({
      label: 'Answers go to',
      help: 'E-mail address of whoever organises events of this kind',
    }),
    default_registration_min: f.integer({ default: 0, min: 0, label: 'Least attendees' }),
    default_registration_max: f.integer({ default: 0, min: 0, label: 'Seats', help: '0: as many as come' }),
    default_change_hours: f.integer({
      default: 24,
      min: 0,
      label: 'Changes until (hours before)',
      help: 'Until then holders of tickets may name somebody else or cancel',
    }),
    default_cancel_paid: f.selection(paidCancellations, { default: 'request', label: 'Paid tickets are cancelled' }),
    event_ids: f.one2many('event.event', 'type', { label: 'Events' }),
  },
  { order: 'sequence, name, id', label: 'Kind of event' },
) {}

declare module 'pergola' {
  interface Models {
    'event.type': EventType;
  }
}
