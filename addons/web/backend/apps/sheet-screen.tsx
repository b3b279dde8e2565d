import { useSuspenseQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useParams } from 'react-router';
import { formatNumber } from '../lib/format.ts';
import { Crumbs } from '../shell/crumbs.tsx';
import { appKeys, fetchSheet } from './calls.ts';

/** What the code of an app can do, derived from its source. */
export function SheetScreen() {
  const { name = '' } = useParams();
  const { data } = useSuspenseQuery({
    queryKey: [...appKeys.list, 'sheet', name],
    queryFn: () => fetchSheet(name),
    staleTime: 60_000,
  });
  return (
    <div className="apps-plan" data-slot="app-sheet">
      <Crumbs current={t('What {title} can do', { title: data.title })} />
      <p>{t('Derived from the code of version {version}, without running it.', { version: data.version })}</p>
      {data.groups.map(({ risk, title, capabilities }) => (
        <details key={risk} className="plan-group" open={risk !== 'low'}>
          <summary>
            <h2 className="h6">{title}</h2> <span className="tag">{formatNumber(capabilities.length)}</span>
          </summary>
          <ul>
            {capabilities.map(({ text, places }) => (
              <li key={text}>
                {text}{' '}
                <span className="sheet-places" translate="no">
                  {places}
                </span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}
