import { useSuspenseQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { formatDuration } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { Moment } from '../settings/parts.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { appKeys, fetchHistory } from './calls.ts';
import { ProblemList } from './problem-list.tsx';

/** History of app switches: user, time, app and result. */
export function HistoryScreen() {
  const { data } = useSuspenseQuery({ queryKey: appKeys.history, queryFn: fetchHistory });
  return (
    <div className="apps-history" data-slot="apps-history">
      <Crumbs current={t('History')} />
      <ol className="apps-lines">
        {data.map((line) => (
          <li key={line.id} className={line.done ? '' : 'failed'}>
            <p className="apps-line-head">
              <Icon name={line.done ? 'check-circle' : 'x-circle'} />
              <strong>
                {line.addons.length > 0
                  ? t('{what}: {names}', { what: line.what, names: line.addons.join(', ') })
                  : line.what}
              </strong>
              <span className="tag">{line.done ? t('done') : t('failed; nothing was changed')}</span>
            </p>
            <p className="apps-line-about">
              <Moment iso={line.at} />
              {line.by && <span> · {line.by}</span>}
              <span> · {formatDuration(line.seconds, 'second')}</span>
            </p>
            {line.problems.length > 0 && <ProblemList problems={line.problems} />}
            {line.summary.length > 0 && (
              <details>
                <summary>{t('What changed')}</summary>
                <ul>
                  {line.summary.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ol>
      {data.length === 0 && <p>{t('Nothing yet.')}</p>}
    </div>
  );
}
