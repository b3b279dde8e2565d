import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useId, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { keys } from '../lib/queries.ts';
import { BrokenScreen } from '../lib/trouble.tsx';
import { readThread, type ThreadOf, type ThreadView } from './calls.ts';
import { Composer } from './composer.tsx';
import { ThreadEntries } from './entries.tsx';
import { RecordFiles } from './files.tsx';
import { FollowBar } from './followers.tsx';

const STEP = 30;
type Shown = 'all' | 'messages' | 'changes';

/** Messages, change history, files and followers of a record. */
export function Chatter({ model, id }: ThreadOf) {
  const thread = { model, id };
  const client = useQueryClient();
  const heading = useId();
  const [limit, setLimit] = useState(STEP);
  const [filter, setFilter] = useState<Shown>('all');
  // Nested under the record's key, so invalidating the record invalidates its thread.
  const key = [...keys.records(model), 'thread', id];
  const { data, error, refetch } = useQuery({
    queryKey: [...key, limit],
    queryFn: () => readThread(thread, limit),
    meta: { isQuiet: true },
    placeholderData: keepPreviousData,
  });
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: key });
  return (
    <aside className="chatter" aria-labelledby={heading} data-slot="chatter">
      <div className="chatter-head">
        <h2 className="h5" id={heading}>
          {t('Discussion')}
        </h2>
        {data && <FollowBar thread={thread} view={data} onChanged={refresh} />}
      </div>
      {error && !data && <BrokenScreen error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <p role="status" className="text-body-secondary">
          {t('Loading…')}
        </p>
      )}
      {data && (
        <>
          <Composer thread={thread} view={data} onPosted={refresh} />
          <RecordFiles thread={thread} files={data.files} mayWrite={data.may.write} onChanged={refresh} />
          <Filter filter={filter} view={data} onChange={setFilter} />
          <ThreadEntries
            thread={thread}
            messages={filter === 'changes' ? [] : data.messages}
            changes={filter === 'messages' ? [] : data.changes}
            onRestored={() => client.invalidateQueries({ queryKey: keys.records(model) })}
          />
          {(data.messageCount > data.messages.length || data.changes.length >= limit) && (
            <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => setLimit(limit + STEP)}>
              {t('Show older entries')}
            </button>
          )}
        </>
      )}
    </aside>
  );
}

function Filter({ filter, view, onChange }: { filter: Shown; view: ThreadView; onChange(filter: Shown): void }) {
  const choices: readonly (readonly [Shown, string])[] = [
    ['all', t('entries\u0004All')],
    ['messages', t('Messages ({n})', { n: formatNumber(view.messageCount) })],
    ['changes', t('Changes')],
  ];
  return (
    <fieldset className="btn-group chatter-filter" aria-label={t('Show')}>
      {choices.map(([choice, text]) => (
        <button
          key={choice}
          type="button"
          className={`btn btn-sm btn-outline-secondary${choice === filter ? ' active' : ''}`}
          aria-pressed={choice === filter}
          onClick={() => onChange(choice)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
