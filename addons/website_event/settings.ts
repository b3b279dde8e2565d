import { setting, z } from '#core';

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
