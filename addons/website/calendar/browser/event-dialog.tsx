import { Picture } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { pageLanguage, t } from 'pergola/browser';
import { deviceZone } from 'pergola/zones';
import { momentOf } from '../wire-time.ts';
import { picture } from './event-content.tsx';
import type { ShownEvent } from './fetch-events.ts';
import { foreignZone, timesOf } from './local-times.ts';

const DAY = 24 * 3600_000;

/** Dialog with the event details. */
export function EventDialog({ event, onClose }: { event: ShownEvent; onClose: () => void }) {
  return (
    <Dialog
      title={event.title}
      className="calendar-dialog"
      light
      onClose={onClose}
      foot={
        <button type="button" className="btn btn-primary" onClick={onClose}>
          {t('Close')}
        </button>
      }
    >
      <EventTimes event={event} />
      {event.location && <p className="mb-1 text-body-secondary">{event.location}</p>}
      {event.attendees.length > 0 && (
        <ul className="calendar-people" aria-label={t('Attendees')}>
          {event.attendees.map(({ id, name }) => (
            <li key={id}>
              <Picture src={picture(id)} alt="" width={28} height={28} /> {name}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

const longDay = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Times in the event's zone, and in the visitor's if they differ. */
function EventTimes({ event }: { event: ShownEvent }) {
  if (event.allDay) return <p className="mb-1">{daysOf(event)}</p>;
  const zone = foreignZone(event);
  return (
    <>
      <p className="mb-1">
        {timesOf(event, { day: longDay }).text}
        {zone && ` (${zone})`}
      </p>
      {zone && (
        <p className="mb-1 text-body-secondary">
          {t('Your time: {when}', { when: timesOf(event, { day: longDay, zone: deviceZone() }).text })}
        </p>
      )}
    </>
  );
}

function daysOf({ start, end }: ShownEvent): string {
  const last = new Date(momentOf(end).getTime() - DAY);
  return new Intl.DateTimeFormat(pageLanguage(), { ...longDay, timeZone: 'UTC' }).formatRange(momentOf(start), last);
}
