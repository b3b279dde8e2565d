import type { EventDisplayInfo } from '@fullcalendar/react';
import { pageLanguage, t } from '#core/browser';

/** An event in the list of days: what takes several days stands on the first of them that is shown, with its last day. */
export function EventLine({ info: { event, timeText, isStart } }: { info: EventDisplayInfo }) {
  const last = event.end && new Date(event.end.getTime() - 1);
  const isLong = event.allDay && last !== null && last.toDateString() !== event.start?.toDateString();
  return (
    <span className={isStart ? 'calendar-event-line' : 'calendar-event-line is-going-on'}>
      {!isLong && timeText} {event.title}
      {isLong && <span className="text-body-secondary"> · {t('until {day}', { day: dayOf(last) })}</span>}
    </span>
  );
}

function dayOf(date: Date): string {
  return new Intl.DateTimeFormat(pageLanguage(), { day: 'numeric', month: 'short' }).format(date);
}
