import { setting, z } from 'pergola';

/** Hours a waiting list offer stays valid. */
export const offerHours = setting('website_event.offer_hours', z.number().int().min(1).max(336), 24, {
  label: 'Hours for taking seats offered to the waiting list',
  section: 'Events',
});

/** Hours before an event at which reminders are sent; 0 disables them. */
export const reminderHours = setting('website_event.reminder_hours', z.number().int().min(0).max(336), 24, {
  label: 'Hours before an event at which its attendees are reminded',
  help: '0: no reminder',
  section: 'Events',
});

/** Default limit of tickets per order, unless the ticket sets its own. */
export const ticketsPerOrder = setting('website_event.tickets_per_order', z.number().int().min(1).max(10_000), 20, {
  label: 'Most tickets of one kind in one order',
  help: 'Where the ticket says nothing else',
  section: 'Events',
});
