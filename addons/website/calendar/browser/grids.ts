import dayGrid from '@fullcalendar/react/daygrid';
import timeGrid from '@fullcalendar/react/timegrid';

/** Month, week and day grids: a third of the calendar code, loaded on phones only when a visitor opens one. */
export const grids = [dayGrid, timeGrid];
export type Grids = typeof grids;
