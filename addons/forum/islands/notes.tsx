import bell from 'bootstrap-icons/icons/bell.svg';
import { useState } from 'react';
import type { z } from 'zod';
import { Icon } from '#addons/website/kit';
import { t } from '#core/browser';
import { ActionForm, useAction, usePage } from '#core/islands';
import type { readNotification } from '../routes/actions.ts';
import type schema from './notes.props.ts';

type Props = z.infer<typeof schema>;

/** The notifications of the reader, above every page of a forum. */
export default function Notes({ notes, unread, path }: Props) {
  const { number, url } = usePage();
  const [read, setRead] = useState<readonly number[]>([]);
  const left = unread - read.length;
  const shown = notes.filter(({ id }) => !read.includes(id));
  return (
    // It may have been opened before it was alive.
    <details className="dropdown" data-slot="forum-notes" name="forum-notes" suppressHydrationWarning>
      <summary className="btn btn-sm btn-outline-secondary">
        <Icon of={bell} /> <span className="visually-hidden">{t('Notifications')}</span>
        {left > 0 && (
          <>
            {' '}
            <span className="forum-unread" data-unread>
              {number(left)}
            </span>
          </>
        )}
      </summary>
      <div className="dropdown-menu forum-notes">
        {shown.map((note) => (
          <Note key={note.id} note={note} path={path} onRead={() => setRead((before) => [...before, note.id])} />
        ))}
        {shown.length === 0 && <p className="forum-note text-body-secondary">{t('Nothing new.')}</p>}
        <p className="forum-note">
          <a href={url(`${path}/notifications`)}>{t('All notifications')}</a>
        </p>
      </div>
    </details>
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
