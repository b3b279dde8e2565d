import { Icon } from '@pergola/website/kit';
import bell from 'bootstrap-icons/icons/bell.svg';
import { t } from 'pergola/browser';
import { ActionForm, useAction, useEvents, usePage } from 'pergola/islands';
import { useState } from 'react';
import type { z } from 'zod';
import type { readNotification } from '../routes/actions.ts';
import type schema from './notes.props.ts';

type Props = z.infer<typeof schema>;
type News = Pick<Props, 'notes' | 'unread'>;

/** The reader's notifications, shown above every page of a forum and kept in sync between tabs. */
export default function Notes({ forum, path, ...initialNews }: Props) {
  const { number, url } = usePage();
  const [{ notes, unread }, setNews] = useState<News>(initialNews);
  const [arrived, setArrived] = useState(0);
  useEvents<News>(`/forum/live/${forum}/notes`, (update) => {
    const previousIds = new Set(notes.map(({ id }) => id));
    setArrived(update.unread > unread ? update.notes.filter(({ id }) => !previousIds.has(id)).length : 0);
    setNews(update);
  });
  const markRead = (id: number): void =>
    setNews((news) => ({ notes: news.notes.filter((note) => note.id !== id), unread: news.unread - 1 }));
  return (
    <>
      {/* It may have been opened before hydration. */}
      <details className="dropdown" data-slot="forum-notes" name="forum-notes" suppressHydrationWarning>
        <summary className="btn btn-sm btn-outline-secondary">
          <Icon of={bell} /> <span className="visually-hidden">{t('Notifications')}</span>
          {unread > 0 && (
            <>
              {' '}
              <span className="forum-unread" data-unread>
                {number(unread)}
              </span>
            </>
          )}
        </summary>
        <div className="dropdown-menu forum-notes">
          {notes.map((note) => (
            <Note key={note.id} note={note} path={path} onRead={() => markRead(note.id)} />
          ))}
          {notes.length === 0 && <p className="forum-note text-body-secondary">{t('No new notifications.')}</p>}
          <p className="forum-note">
            <a href={url(`${path}/notifications`)}>{t('All notifications')}</a>
          </p>
        </div>
      </details>
      <span className="visually-hidden" role="status">
        {arrived === 1 && t('1 new notification')}
        {arrived > 1 && t('{n} new notifications', { n: arrived })}
      </span>
    </>
  );
}

function Note({ note, path, onRead }: { note: Props['notes'][number]; path: string; onRead: () => void }) {
  const { url } = usePage();
  const { id, text, href, date } = note;
  const reading = useAction<typeof readNotification>('/forum/notification_read', {
    done: onRead,
  });
  return (
    <div className="forum-note" data-forum-note={id}>
      <p>
        {href === null ? text : <a href={url(href)}>{text}</a>}{' '}
        <small className="text-body-secondary">
          <time dateTime={date.machine}>{date.text}</time>
        </small>
      </p>
      <ActionForm of={reading}>
        <input type="hidden" name="notification_id" value={id} />
        <input type="hidden" name="redirect" value={url(path)} />
        <button className="btn-close" type="submit" aria-label={t('Mark as read')} />
      </ActionForm>
    </div>
  );
}
