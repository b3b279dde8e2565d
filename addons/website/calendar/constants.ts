/**
 * What the calendar goes by, on the server and in the browser; nothing here may import anything.
 */

/** Width of the calendar divided by the height of its days. */
export const ASPECT_RATIO = 1.8;
/** The steps in which times snap, and the slots the day is ruled in. */
export const SNAP = '00:15:00';
export const SLOT = '00:30:00';
/** How long an event without an end lasts. */
export const DEFAULT_MINUTES = 120;
export const DEFAULT_LENGTH = '02:00:00';
/** The hour that the views of weeks and days begin with; the ones before it are a scroll away. */
export const FIRST_HOUR = '06:00:00';
export const DAY_START = '00:00:00';
export const DAY_END = '24:00:00';
/** The views' names in the calendar's header, and the library's views behind them. */
export const VIEWS = { month: 'dayGridMonth', agendaWeek: 'timeGridWeek', agendaDay: 'timeGridDay' } as const;
export type ViewName = keyof typeof VIEWS;
/** Weeks of a month are as many as it has, and share its height. */
export const WEEK_MODE = 'liquid';
/** Events of so many minutes or less have no room for pictures, except in months. */
export const SHORT_MINUTES = 30;
/** Colours of events. */
export const PALETTE = 24;
/** The longest range one call may ask for, in days, and the most events it answers. */
export const LONGEST_RANGE_DAYS = 400;
export const MOST_EVENTS = 2_000;
/** The most attendees, and the most calendars, that one answer names over all its events. */
export const MOST_NAMES = 5_000;

/** The colour of the next event of a contact who has so many: a number from 1 to 24. */
export function colorOf(count: number): number {
  return (((count + 1) * 5) % PALETTE) + 1;
}

/** Whether an event shows its attendees' pictures in a view. */
export function showsPictures(view: string, minutes: number): boolean {
  return view === 'month' || minutes > SHORT_MINUTES;
}
