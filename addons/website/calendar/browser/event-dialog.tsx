import { useEffect, useId, useRef } from 'react';
import { pageLanguage, t } from '#core/browser';
import { momentOf } from '../wire-time.ts';
import { picture } from './event-content.tsx';
import type { ShownEvent } from './fetch-events.ts';

const DAY = 24 * 3600_000;

/** All that is known of an event, in a window; null closes it. */
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
            <p className="mb-1">{whenOf(event)}</p>
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

/** When it is, in the browser's zone and the page's language. */
function whenOf({ start, end, allDay }: ShownEvent): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const first = momentOf(start);
  if (allDay) {
    const last = end ? new Date(momentOf(end).getTime() - DAY) : first;
    return new Intl.DateTimeFormat(pageLanguage(), { ...day, timeZone: 'UTC' }).formatRange(first, last);
  }
  const format = new Intl.DateTimeFormat(pageLanguage(), { ...day, hour: 'numeric', minute: '2-digit' });
  return end ? format.formatRange(first, momentOf(end)) : format.format(first);
}
