import FullCalendar, {
  type ButtonInput,
  type CalendarOptions,
  type CalendarRef,
  type EventInput,
  type EventSourceFuncInfo,
  type FormatterInput,
} from '@fullcalendar/react';
import list from '@fullcalendar/react/list';
import french from '@fullcalendar/react/locales/fr';
import classic from '@fullcalendar/react/themes/classic';
import { pageLanguage, t } from 'pergola/browser';
import { deviceZone, zoneName } from 'pergola/zones';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  ASPECT_RATIO,
  DAY_END,
  DAY_START,
  DEFAULT_LENGTH,
  FIRST_HOUR,
  SLOT,
  SNAP,
  VIEWS,
  type ViewName,
  WEEK_MODE,
} from '../constants.ts';
import { EventContent } from './event-content.tsx';
import { EventDialog } from './event-dialog.tsx';
import { EventLine } from './event-line.tsx';
import { fetchEvents, type ShownEvent, toInput } from './fetch-events.ts';
import type { Grids } from './grids.ts';
import { foreignZone } from './local-times.ts';

const DAY = 24 * 3600_000;

interface Props {
  readonly contact: number | null;
  readonly view: ViewName;
  /** Starts with the list and loads the grids on demand. */
  readonly isNarrow: boolean;
  readonly grids: Grids | undefined;
}

/** Calendar by month, week or day, with the events of one contact or of all. */
export function CalendarView({ contact, view, isNarrow, grids: initialGrids }: Props) {
  const [openEvent, setOpenEvent] = useState<ShownEvent | null>(null);
  const [grids, setGrids] = useState(initialGrids);
  const [requestedView, setRequestedView] = useState<ViewName | null>(null);
  const [isList, setIsList] = useState(isNarrow);
  const [isElsewhere, setIsElsewhere] = useState(false);
  const calendar = useRef<CalendarRef>(null);
  const options = useMemo(() => optionsOf(pageLanguage(), isNarrow, grids, setRequestedView), [isNarrow, grids]);
  useEffect(() => {
    if (requestedView) import('./grids.ts').then((parts) => setGrids(parts.grids), console.error);
  }, [requestedView]);
  useEffect(() => {
    if (requestedView && grids) calendar.current?.getApi().changeView(requestedView);
  }, [requestedView, grids]);
  const events = useCallback(
    async ({ start, end }: EventSourceFuncInfo): Promise<EventInput[]> => {
      // Days in the event's zone can start up to a day before or after the browser's.
      const margin = isList ? DAY : 0;
      const from = new Date(start.getTime() - margin);
      const answer = await fetchEvents(from, new Date(end.getTime() + margin), contact);
      setIsElsewhere(answer.some((event) => foreignZone(event) !== null));
      return answer.map((event) => toInput(event, isList));
    },
    [contact, isList],
  );
  return (
    <>
      <FullCalendar
        ref={calendar}
        {...options}
        initialView={isNarrow ? 'agendaList' : view}
        events={events}
        datesSet={({ view: { type } }) => setIsList(type === 'agendaList')}
        eventContent={(info) =>
          info.view.type === 'agendaList' ? <EventLine info={info} /> : <EventContent info={info} />
        }
        eventClick={({ event, jsEvent }) => {
          if (event.url) return;
          jsEvent.preventDefault();
          setOpenEvent(event.extendedProps.shown as ShownEvent);
        }}
      />
      {isElsewhere && (
        <p className="calendar-zone" data-slot="calendar-zone">
          {isList
            ? t('Times are shown in each event’s local time.')
            : t('Times are shown in {zone}. Open an event for its local time.', { zone: zoneName(deviceZone(), t) })}
        </p>
      )}
      {openEvent && <EventDialog event={openEvent} onClose={() => setOpenEvent(null)} />}
    </>
  );
}

/** Time format in the day column: `h(:mm)tt`, or 24 hours depending on the language. */
function timeFormat(language: string): FormatterInput {
  const { hour12 } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
  return hour12
    ? { hour: 'numeric', minute: '2-digit', omitZeroMinute: true, meridiem: 'short' }
    : { hour: '2-digit', minute: '2-digit', hour12: false };
}

const shortDay: FormatterInput = { day: 'numeric', month: 'short', year: 'numeric' };
const longDay: FormatterInput = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };

/**
 * Calendar options that don't depend on events.
 *
 * @param want called with the requested view until the grids are loaded
 */
function optionsOf(
  language: string,
  isNarrow: boolean,
  grids: Grids | undefined,
  want: (view: ViewName) => void,
): CalendarOptions {
  const time = timeFormat(language);
  const typeOf = (view: ViewName): string => (grids ? VIEWS[view] : 'list');
  const button = (view: ViewName, text: string): ButtonInput => ({
    text,
    click: (event) => {
      if (grids) return;
      event.preventDefault();
      want(view);
    },
  });
  return {
    plugins: [...(grids ?? []), list, classic],
    locales: [french],
    locale: language.startsWith('fr') ? 'fr' : language,
    headerToolbar: {
      start: 'prev,next today',
      center: 'title',
      end: [...(isNarrow ? ['agendaList'] : []), ...Object.keys(VIEWS)].join(','),
    },
    views: {
      agendaList: { type: 'list', duration: { days: 30 }, allDayText: t('All day') },
      month: { type: typeOf('month') },
      agendaWeek: { type: typeOf('agendaWeek'), expandRows: false, titleFormat: shortDay },
      agendaDay: { type: typeOf('agendaDay'), expandRows: false, titleFormat: longDay },
    },
    buttons: {
      today: { text: t('Today') },
      agendaList: { text: t('List') },
      month: button('month', t('Month')),
      agendaWeek: button('agendaWeek', t('Week')),
      agendaDay: button('agendaDay', t('Day')),
    },
    // Screen readers get the visible text.
    todayHint: t('Today'),
    prevHint: t('Previous'),
    nextHint: t('Next'),
    viewHint: (name: string) => name,
    buttonClass: 'calendar-button',
    viewClass: ({ view }) => (view.type === 'agendaWeek' ? 'calendar-week' : ''),
    headerToolbarClass: 'calendar-toolbar',
    toolbarTitleClass: 'calendar-title',
    slotHeaderInnerClass: 'calendar-slot',
    moreLinkClass: 'calendar-more',
    listDayClass: 'calendar-list-day',
    allDayHeaderInnerClass: 'calendar-all-day',
    // The container has the aspect ratio, with room for the header, before the calendar loads.
    aspectRatio: ASPECT_RATIO,
    height: '100%',
    expandRows: true,
    fixedWeekCount: WEEK_MODE !== 'liquid',
    snapDuration: SNAP,
    slotDuration: SLOT,
    scrollTime: FIRST_HOUR,
    slotMinTime: DAY_START,
    slotMaxTime: DAY_END,
    defaultTimedEventDuration: DEFAULT_LENGTH,
    slotHeaderFormat: time,
    eventTimeFormat: time,
    allDayText: t('all-day'),
    timedText: t('With times'),
    noEventsText: t('No upcoming events.'),
    weekNumbers: true,
    weekNumberCalculation: 'ISO',
    firstDay: 1,
    weekTextShort: t('W'),
    weekTextLong: t('Week'),
    lazyFetching: true,
    timeZone: 'local',
    nowIndicator: true,
    dayMaxEvents: true,
    eventDisplay: 'block',
    eventInteractive: true,
  };
}
