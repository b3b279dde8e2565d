import { t } from 'pergola/browser';
import { deviceZone, isSameTime, zoneName } from 'pergola/zones';
import { useEffect, useState } from 'react';
import type { ComingEvent } from '../../blocks/calendar.ts';
import { momentOf } from '../wire-time.ts';

/** List of upcoming events, for the first render and for visitors without JavaScript. */
export function ComingEvents({ events }: { events: readonly ComingEvent[] }) {
  return (
    <section className="calendar-coming" aria-label={t('Upcoming events')}>
      <h3 className="calendar-coming-title">{t('Upcoming events')}</h3>
      {events.length === 0 && <p className="text-body-secondary">{t('No upcoming events.')}</p>}
      <ul className="calendar-coming-list">
        {events.map((event) => (
          <li key={event.id} className="calendar-coming-item">
            <span
              className="calendar-coming-date"
              aria-hidden="true"
              style={{
                background: `var(--calendar-color-${event.color})`,
                color: `var(--calendar-text-${event.color})`,
              }}
            >
              <b>{event.day}</b> {event.month}
            </span>
            <span className="calendar-coming-text">
              {event.url ? <a href={event.url}>{event.title}</a> : <strong>{event.title}</strong>}
              <span>
                <time dateTime={`${event.start.replace(' ', 'T')}Z`}>{event.when}</time>
                <ZoneNote event={event} />
                {event.location && ` · ${event.location}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Zone of the event: rendered if it differs from the site's zone, since the page is the same for everyone, and updated in the browser if it
 * differs from the visitor's.
 */
function ZoneNote({ event: { start, timezone, zone } }: { event: ComingEvent }) {
  const [name, setName] = useState(zone);
  useEffect(() => {
    if (timezone) setName(isSameTime(timezone, deviceZone(), momentOf(start)) ? null : zoneName(timezone, t));
  }, [start, timezone]);
  return name && ` (${name})`;
}
