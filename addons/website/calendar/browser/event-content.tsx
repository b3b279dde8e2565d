import type { EventDisplayInfo } from '@fullcalendar/react';
import { Picture } from '@pergola/web/kit';
import { DEFAULT_MINUTES, showsPictures } from '../constants.ts';
import type { ShownEvent } from './fetch-events.ts';
import { foreignZone, timesOf } from './local-times.ts';

/** Attendee pictures that fit; the event dialog shows the others. */
const MOST_FACES = 3;

/** Content of an event box: time, title and attendees. */
export function EventContent({ info }: { info: EventDisplayInfo }) {
  const { event, view, timeText } = info;
  const details = event.extendedProps.shown as ShownEvent;
  const { attendees } = details;
  const zone = event.allDay ? null : foreignZone(details);
  const local = zone && `${timesOf(details).text} (${zone})`;
  const faces = showsPictures(view.type, minutesOf(event.start, event.end)) ? attendees.slice(0, MOST_FACES) : [];
  return (
    <span className={view.type === 'month' ? 'calendar-event is-line' : 'calendar-event'} title={local ?? undefined}>
      {timeText && <span className="calendar-event-time">{timeText}</span>}
      <span className="calendar-event-title">{event.title}</span>
      {local && <span className={view.type === 'month' ? 'visually-hidden' : 'calendar-event-zone'}>{local}</span>}
      {faces.length > 0 && (
        <span className="calendar-event-faces">
          {faces.map(({ id, name }) => (
            <Picture key={id} src={picture(id)} alt={name} title={name} width={18} height={18} />
          ))}
        </span>
      )}
    </span>
  );
}

/** URL of a contact's small image. */
export function picture(id: number): string {
  return `/web/binary/image?model=res.partner&field=image_small&id=${id}`;
}

function minutesOf(start: Date | null, end: Date | null): number {
  return start && end ? (end.getTime() - start.getTime()) / 60_000 : DEFAULT_MINUTES;
}
