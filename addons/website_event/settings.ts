import { setting, z } from 'pergola';

/** Hours a waiting list offer stays valid. */
export const offerHours = setting('website_event.offer_hours', z.number().int().min(1).max(336), 24, {
  label: 'Time to claim seats offered to the waiting list (hours)',
  section: 'Events',
});

/** Hours before an event at which reminders are sent; 0 disables them. */
export const reminderHours = setting('website_event.reminder_hours', z.number().int().min(0).max(336), 24, {
  label: 'Event reminder (hours before)',
  help: '0 for no reminder',
  section: 'Events',
});

/** Default limit of tickets per order, unless the ticket sets its own. */
export const ticketsPerOrder = setting('website_event.tickets_per_order', z.number().int().min(1).max(10_000), 20, {
  label: 'Maximum tickets of one type per order',
  help: 'Unless the ticket sets its own maximum',
  section: 'Events',
});
