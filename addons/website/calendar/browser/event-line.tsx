import type { EventDisplayInfo } from '@fullcalendar/react';
import { pageLanguage, t } from 'pergola/browser';
import type { ShownEvent } from './fetch-events.ts';
import { daysAtPlace, foreignZone, isLong, timesOf } from './local-times.ts';

const DAY = 24 * 3600_000;

/** Line of an event in the list, with times in its own zone. A multi-day event appears on its first visible day, with its last day. */
export function EventLine({ info: { event, timeText, isStart } }: { info: EventDisplayInfo }) {
  const details = event.extendedProps.shown as ShownEvent;
  const last = lastDay(details);
  const zone = isLong(details) ? null : foreignZone(details);
  return (
    <span className={isStart ? 'calendar-event-line' : 'calendar-event-line is-going-on'}>
      {!last && (isLong(details) ? timeText : timesOf(details).hours)}
      {zone && <span className="text-body-secondary"> ({zone})</span>} {event.title}
      {last && <span className="text-body-secondary"> · {t('until {day}', { day: last })}</span>}
    </span>
  );
}

/** Last day of a multi-day event, or null. */
function lastDay(event: ShownEvent): string | null {
  if (!isLong(event)) return null;
  const { start, end } = daysAtPlace(event);
  const last = new Date(Date.parse(`${end}T00:00:00Z`) - DAY);
  if (last.toISOString().slice(0, 10) === start) return null;
  return new Intl.DateTimeFormat(pageLanguage(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(last);
}
