import { calendarBlock, calendarSnippet } from '../blocks/calendar.ts';
import type { Contents } from '../contents.ts';
import { getEvents } from '../routes/calendar-events.ts';
import { CalendarEvent } from './models/calendar-event.ts';
import { CalendarEventContact } from './models/calendar-event-contact.ts';
import { CalendarPartner, calendarFaces } from './models/res-partner.ts';
import { lists, rules } from './security.ts';
import { menus, views } from './views.ts';

/** Models, views and routes of the calendar block. */
export const calendar: Contents = {
  models: [CalendarEvent, CalendarEventContact, CalendarPartner],
  routes: [getEvents],
  blocks: [calendarBlock],
  access: lists,
  rules,
  views,
  menus,
  snippets: calendarSnippet,
  publicPictures: calendarFaces,
};
