import { f, model } from 'pergola';

/** Links an event to a contact's calendar; the first contact by sequence is the main contact. */
export class CalendarEventContact extends model(
  'calendar.event.contact',
  {
    event_id: f.many2one('calendar.event', { required: true, ondelete: 'cascade', index: true }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade', index: true, label: 'Contact' }),
    sequence: f.integer({ default: 10 }),
  },
  {
    order: 'sequence, id',
    label: 'Calendar',
    nameField: 'partner_id',
    unique: [{ fields: ['event_id', 'partner_id'], message: 'This event is already in this calendar.' }],
  },
) {}

declare module 'pergola' {
  interface Models {
    'calendar.event.contact': CalendarEventContact;
  }
}
