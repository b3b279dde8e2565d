import { setting, z } from 'pergola';

/** How long somebody on a waiting list has for taking the seats that came free. */
export const offerHours = setting('website_event.offer_hours', z.number().int().min(1).max(336), 24, {
  label: 'Hours for taking seats offered to the waiting list',
  section: 'Events',
});

/** Whether people are reminded of what they have tickets for. */
export const reminderHours = setting('website_event.reminder_hours', z.number().int().min(0).max(336), 24, {
  label: 'Hours before an event at which its attendees are reminded',
  help: '0: no reminder',
  section: 'Events',
});

/** How many tickets of one kind an order may have, where the ticket says nothing else. */
export const ticketsPerOrder = setting('website_event.tickets_per_order', z.number().int().min(1).max(10_000), 20, {
  label: 'Most tickets of one kind in one order',
  help: 'Where the ticket says nothing else',
  section: 'Events',
});
