/** Calendar settings shared by server and browser; this file must not import anything. */

/** Width of the calendar divided by the height of its day area. */
export const ASPECT_RATIO = 1.8;
/** Snap interval and slot size of times. */
export const SNAP = '00:15:00';
export const SLOT = '00:30:00';
/** Duration of events without an end. */
export const DEFAULT_MINUTES = 120;
export const DEFAULT_LENGTH = '02:00:00';
/** First visible hour in week and day views; earlier hours are reached by scrolling. */
export const FIRST_HOUR = '06:00:00';
export const DAY_START = '00:00:00';
export const DAY_END = '24:00:00';
/** View names in the calendar header and the matching views of the library. */
export const VIEWS = { month: 'dayGridMonth', agendaWeek: 'timeGridWeek', agendaDay: 'timeGridDay' } as const;
export type ViewName = keyof typeof VIEWS;
/** A month shows only its own weeks, which share the height. */
export const WEEK_MODE = 'liquid';
/** Maximum duration in minutes of events too small for attendee pictures, except in month view. */
export const SHORT_MINUTES = 30;
/** Number of event colours. */
export const PALETTE = 24;
/** Maximum range of a call in days, and maximum events per response. */
export const LONGEST_RANGE_DAYS = 400;
export const MOST_EVENTS = 2_000;
/** Maximum attendees, and maximum calendars, in one response across all its events. */
export const MOST_NAMES = 5_000;

/** Colour from 1 to 24 for the next event of a contact with `count` events. */
export function colorOf(count: number): number {
  return (((count + 1) * 5) % PALETTE) + 1;
}

/** Returns whether a view shows the attendee pictures of an event. */
export function showsPictures(view: string, minutes: number): boolean {
  return view === 'month' || minutes > SHORT_MINUTES;
}
