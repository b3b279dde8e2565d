import dayGrid from '@fullcalendar/react/daygrid';
import timeGrid from '@fullcalendar/react/timegrid';

/** What shows months, weeks and days as grids: a third of the calendar, which a phone loads once somebody wants one of them. */
export const grids = [dayGrid, timeGrid];
export type Grids = typeof grids;
