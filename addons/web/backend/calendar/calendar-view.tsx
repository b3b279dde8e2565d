import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import './calendar.css';
import FullCalendar, { type CalendarOptions, type EventInput } from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import interaction from '@fullcalendar/react/interaction';
import list from '@fullcalendar/react/list';
import french from '@fullcalendar/react/locales/fr';
import classic from '@fullcalendar/react/themes/classic';
import timeGrid from '@fullcalendar/react/timegrid';
import { useQuery } from '@tanstack/react-query';
import { pageLanguage, t } from 'pergola/browser';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { recordAddress } from '../lib/addresses.ts';
import { searchRead, type WireRecord } from '../lib/calls.ts';
import { zoneOf } from '../lib/moments.ts';
import { keys } from '../lib/queries.ts';
import { useStart } from '../lib/start.tsx';
import { useNarrow } from '../lib/use-narrow.ts';
import type { RecordsProps } from '../list/records-screen.tsx';
import { useRecordMove } from '../list/use-record-move.tsx';
import { joinDomains } from '../search/conditions.ts';
import type { CalendarView } from '../types.ts';
import { clockOf, eventOf, movedValues, rangeDomain, wireOf } from './events.ts';

/** Maximum number of events in one calendar view. */
const MAX_EVENTS = 2_000;

type Props = RecordsProps & { readonly view: CalendarView };

/** Calendar of records, in their own time zones, else in the user's. The browser's zone doesn't matter. */
export default function CalendarScreen(props: Props) {
  const { info, domain, menu, view } = props;
  const { user, siteTimezone } = useStart();
  const clocks = useMemo(() => ({ timezone: user.timezone, siteTimezone }), [user.timezone, siteTimezone]);
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const [range, setRange] = useState<{ from: string; to: string } | null>(null);
  const fields = useMemo(
    () =>
      [
        ...[view.title, view.start, view.end, view.color, view.allDay, 'display_name'],
        info.fields[view.start]?.timezoneField ?? null,
      ].filter((name): name is string => name !== null && Object.hasOwn(info.fields, name)),
    [view, info],
  );
  const start = info.fields[view.start];
  const events = useQuery({
    queryKey: keys.list(info.name, { domain, fields, range, calendar: true }),
    queryFn: () =>
      searchRead(info.name, {
        domain: joinDomains([domain, range && start ? rangeDomain(view, start, range, user.timezone) : []]),
        fields,
        order: view.start,
        limit: MAX_EVENTS,
      }),
    enabled: range !== null,
    placeholderData: (previous) => previous,
  });
  const { move, dialog } = useRecordMove(info);
  /** Saves the new dates of an event. Moves it back if saving fails. */
  const reschedule = (
    event: { id: string; startStr: string; endStr: string; allDay: boolean },
    undo: () => void,
  ): void => {
    const record: WireRecord | undefined = events.data?.find(({ id }) => id === Number(event.id));
    if (!record) {
      undo();
      return;
    }
    const values = movedValues(event, { info, view, clocks, record });
    const seen = Object.fromEntries(Object.keys(values).map((name) => [name, record[name] ?? false]));
    void move({ record, values, seen, successMessage: t('Saved.'), undo });
  };
  const inputs = useMemo<EventInput[]>(
    () => (start ? (events.data ?? []).map((record) => eventOf(record, { info, view, clocks }, start)) : []),
    [events.data, info, view, start, clocks],
  );
  const options = useMemo(() => optionsOf(pageLanguage(), isNarrow), [isNarrow]);
  const mayMove = info.may.write && start !== undefined && !start.readonly;
  return (
    <div className="backend-calendar" data-slot="calendar">
      <FullCalendar
        key={String(isNarrow)}
        {...options}
        now={() => clockOf(new Date(), user.timezone)}
        events={inputs}
        editable={mayMove}
        datesSet={({ startStr, endStr }) => setRange({ from: startStr.slice(0, 10), to: endStr.slice(0, 10) })}
        eventContent={({ event, timeText }) =>
          event.extendedProps.zone ? (
            <ZonedEvent title={event.title} time={timeText} zone={event.extendedProps.zone} />
          ) : (
            true
          )
        }
        eventClick={({ event, jsEvent }) => {
          jsEvent.preventDefault();
          void navigate(recordAddress(info.name, Number(event.id), menu));
        }}
        dateClick={({ dateStr }) => {
          if (!info.may.create || !start) return;
          const query = new URLSearchParams(menu ? { menu } : {});
          query.set(
            `default_${view.start}`,
            wireOf(
              dateStr,
              start,
              zoneOf(start, {}, { ...clocks, timezone: start.timezoneField ? siteTimezone : user.timezone }),
            ),
          );
          void navigate(`/web/m/${info.name}/new?${query}`);
        }}
        eventDrop={({ event, revert }) => reschedule(event, revert)}
        eventResize={({ event, revert }) => reschedule(event, revert)}
        eventDurationEditable={view.end !== null}
        allDaySlot={view.allDay !== null || start?.kind === 'date'}
      />
      {dialog}
    </div>
  );
}

/** An event in another time zone than the reader's. */
function ZonedEvent({ title, time, zone }: { title: string; time: string; zone: string }) {
  return (
    <span className="backend-calendar-zoned" title={`${title} · ${time} (${zone})`}>
      <b>{time}</b> <small>({zone})</small> {title}
    </span>
  );
}

function optionsOf(language: string, isNarrow: boolean): CalendarOptions {
  return {
    plugins: [dayGrid, timeGrid, list, interaction, classic],
    locales: [french],
    locale: language.startsWith('fr') ? 'fr' : language,
    // Times are already converted to the user's zone.
    timeZone: 'UTC',
    initialView: isNarrow ? 'listMonth' : 'dayGridMonth',
    headerToolbar: isNarrow
      ? { start: 'title', end: 'prev,next' }
      : { start: 'prev,next today', center: 'title', end: 'dayGridMonth,timeGridWeek,timeGridDay,listMonth' },
    buttons: {
      today: { text: t('Today') },
      dayGridMonth: { text: t('Month') },
      timeGridWeek: { text: t('Week') },
      timeGridDay: { text: t('Day') },
      listMonth: { text: t('Agenda') },
    },
    buttonClass: 'backend-calendar-button',
    toolbarTitleClass: 'backend-calendar-title',
    rowEventClass: 'backend-calendar-target',
    // Makes half-hour slots tall enough to tap.
    slotHeaderInnerClass: 'backend-calendar-target',
    moreLinkClass: 'backend-calendar-target',
    listItemEventTitleClass: 'backend-calendar-name',
    listItemEventBeforeClass: 'backend-calendar-dot',
    todayHint: t('Today'),
    prevHint: t('Previous'),
    nextHint: t('Next'),
    viewHint: (name: string) => name,
    height: '100%',
    expandRows: true,
    dayMaxEvents: true,
    nowIndicator: true,
    eventDisplay: 'block',
    eventInteractive: true,
    allDayText: t('all-day'),
    noEventsText: t('Nothing here yet.'),
  };
}
