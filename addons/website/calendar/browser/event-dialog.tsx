import { pageLanguage, t } from 'pergola/browser';
import { deviceZone } from 'pergola/zones';
import { useEffect, useId, useRef } from 'react';
import { momentOf } from '../wire-time.ts';
import { picture } from './event-content.tsx';
import type { ShownEvent } from './fetch-events.ts';
import { foreignZone, timesOf } from './local-times.ts';

const DAY = 24 * 3600_000;

/** Dialog with the event details; null closes it. */
export function EventDialog({ event, onClose }: { event: ShownEvent | null; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    if (event) dialog.current?.showModal();
    else dialog.current?.close();
  }, [event]);
  return (
    <dialog ref={dialog} className="calendar-dialog" aria-labelledby={title} onClose={onClose}>
      {event && (
        <>
          <div className="dialog-head">
            <h2 id={title}>{event.title}</h2>
          </div>
          <div className="dialog-body">
            <EventTimes event={event} />
            {event.location && <p className="mb-1 text-body-secondary">{event.location}</p>}
            {event.attendees.length > 0 && (
              <ul className="calendar-people" aria-label={t('Attendees')}>
                {event.attendees.map(({ id, name }) => (
                  <li key={id}>
                    <img src={picture(id)} alt="" width={28} height={28} /> {name}
                  </li>
                ))}
              </ul>
            )}
          </div>
          <div className="dialog-foot">
            <button type="button" className="btn btn-primary" onClick={() => dialog.current?.close()}>
              {t('Close')}
            </button>
          </div>
        </>
      )}
    </dialog>
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
