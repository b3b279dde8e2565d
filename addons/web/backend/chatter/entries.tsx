import { useMutation } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { RichText } from '../form/inputs/html-show.tsx';
import { zonedMoment } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { clocksOf, momentOf, wireMoment } from '../lib/moments.ts';
import { useStart } from '../lib/start.tsx';
import { restoreChange, type ShownChange, type ShownMessage, type ThreadOf } from './calls.ts';
import { FileLinks } from './files.tsx';

type Entry =
  | { readonly kind: 'message'; readonly date: string; readonly message: ShownMessage }
  | {
      readonly kind: 'changes';
      readonly date: string;
      readonly by: string | null;
      readonly changes: readonly ShownChange[];
    };

/** Groups changes made by the same person at the same time into one entry. */
function toEntries(changes: readonly ShownChange[]): readonly Entry[] {
  const groups = Map.groupBy(changes, ({ date, by: author }) => `${date} ${author}`);
  return [...groups.values()].flatMap((groupChanges): Entry[] => {
    const [first] = groupChanges;
    return first ? [{ kind: 'changes', date: first.date, by: first.by, changes: groupChanges }] : [];
  });
}

/** Messages and changes in chronological order, latest first. */
export function ThreadEntries({
  thread,
  messages,
  changes,
  onRestored,
}: {
  thread: ThreadOf;
  messages: readonly ShownMessage[];
  changes: readonly ShownChange[];
  onRestored(): Promise<void>;
}) {
  const entries: readonly Entry[] = [
    ...messages.map((message): Entry => ({ kind: 'message', date: message.date, message })),
    ...toEntries(changes),
  ].toSorted((a, b) => b.date.localeCompare(a.date));
  if (entries.length === 0) return <p className="text-body-secondary">{t('Nothing yet.')}</p>;
  return (
    <ol className="chatter-entries">
      {entries.map((entry) =>
        entry.kind === 'message' ? (
          <MessageEntry key={`m${entry.message.id}`} message={entry.message} />
        ) : (
          <ChangesEntry key={`c${entry.changes[0]?.id}`} thread={thread} entry={entry} onRestored={onRestored} />
        ),
      )}
    </ol>
  );
}

function Head({ name, date, children }: { name: string | null; date: string; children?: React.ReactNode }) {
  const { user } = useStart();
  return (
    <p className="chatter-entry-head">
      <strong>{name ?? t('System')}</strong>
      {children}
      <time dateTime={momentOf(date)?.toISOString()}>{zonedMoment(date, user.timezone, user)}</time>
    </p>
  );
}

function MessageEntry({ message }: { message: ShownMessage }) {
  const { author, date, body, internal, subject, files, mails, type } = message;
  return (
    <li className={`chatter-entry${internal ? ' note' : ''}`} data-slot={internal ? 'note' : 'message'}>
      <Head name={author} date={date}>
        {internal && type !== 'notification' && <span className="tag">{t('Note')}</span>}
        {type === 'email' && <span className="tag">{t('Email message')}</span>}
      </Head>
      <SentMails mails={mails} />
      {subject && <p className="fw-semibold mb-1">{subject}</p>}
      {body && <RichText html={body} />}
      <FileLinks files={files} />
    </li>
  );
}

/** Emails by which a message was sent, with the delivery status of each. */
function SentMails({ mails }: { mails: ShownMessage['mails'] }) {
  if (mails.length === 0) return null;
  return (
    <ul className="chatter-mails" data-slot="mails">
      {mails.map(({ id, name, email, state, error }) => (
        <li key={id}>
          {t('To {recipient}', { recipient: [name, email].filter(Boolean).join(' · ') })}{' '}
          <span className={`tag chatter-mail-${state}`}>{deliveryText(state)}</span>
          {error && <small className="settings-error">{error}</small>}
        </li>
      ))}
    </ul>
  );
}

function deliveryText(state: ShownMessage['mails'][number]['state']): string {
  switch (state) {
    case 'queued':
      return t('Queued');
    case 'held':
      return t('Held (no mail server)');
    case 'handed_over':
      return t('Sent');
    case 'delivered':
      return t('Delivered');
    case 'refused':
      return t('Rejected');
    case 'bounced':
      return t('Bounced');
    case 'withdrawn':
      return t('Not sent (unsubscribed)');
  }
}

function ChangesEntry({
  thread,
  entry,
  onRestored,
}: {
  thread: ThreadOf;
  entry: Extract<Entry, { kind: 'changes' }>;
  onRestored(): Promise<void>;
}) {
  const restore = useMutation({
    mutationFn: async (change: ShownChange) => {
      const question = t('Revert “{field}” to its value before this change?', { field: change.label });
      if (!(await confirmDialog(question, { yes: t('Revert') }))) return false;
      await restoreChange(thread, change.id);
      return true;
    },
    onSuccess: async (wasRestored) => {
      if (!wasRestored) return;
      notify(t('Reverted.'));
      await onRestored();
    },
  });
  return (
    <li className="chatter-entry change" data-slot="change">
      <Head name={entry.by} date={entry.date} />
      <ul>
        {entry.changes.map((change) => (
          <li key={change.id}>
            <span>
              {change.label}: <ChangedValue change={change} value={change.before} /> <Icon name="arrow-right" />{' '}
              <span className="visually-hidden">{t('changed to')}</span>{' '}
              <ChangedValue change={change} value={change.after} />
            </span>
            {change.restorable && (
              <button
                type="button"
                className="btn btn-sm btn-icon"
                disabled={restore.isPending}
                aria-label={t('Revert {field}', { field: change.label })}
                title={t('Revert')}
                onClick={() => restore.mutate(change)}
              >
                <Icon name="arrow-counterclockwise" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}

function ChangedValue({ change, value }: { change: ShownChange; value: string }) {
  const clocks = clocksOf(useStart());
  if (value === '') return <em className="text-body-secondary">{t('empty')}</em>;
  if (change.type !== 'datetime') return <span className="chatter-value">{value}</span>;
  const moment = new Date(value);
  const text = Number.isNaN(moment.getTime())
    ? value
    : zonedMoment(wireMoment(moment), change.timezone ?? clocks.timezone, clocks);
  return <span className="chatter-value">{text}</span>;
}
