import { useSuspenseQuery } from '@tanstack/react-query';
import { plural, t } from 'pergola/browser';
import { useSearchParams } from 'react-router';
import { formatBytes, formatNumber } from '../lib/format.ts';
import { RefreshButton } from '../lib/refresh-button.tsx';
import { CardTable, StateTabs } from '../settings/parts.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { appKeys, fetchCosts, type ShownCosts } from './calls.ts';

type Cost = ShownCosts['addons'][number];

/** Periods, in minutes. */
const periods = ['5', '60', '1440'] as const;
type Period = (typeof periods)[number];

/** Costs of each page, by app. */
export function CostsScreen() {
  const [query, setQuery] = useSearchParams();
  const period = periods.find((choice) => choice === query.get('minutes')) ?? '60';
  const { data, refetch, isFetching } = useSuspenseQuery({
    queryKey: [...appKeys.list, 'costs', period],
    queryFn: () => fetchCosts(Number(period)),
  });
  const labels: Record<Period, string> = { '5': t('5 minutes'), '60': t('1 hour'), '1440': t('1 day') };
  return (
    <div className="apps-plan apps-costs" data-slot="apps-costs">
      <Crumbs current={t('Costs')} />
      <p>{t('Server work per request, by app. Pages from the cache cost nothing and aren’t listed.')}</p>
      <div className="apps-tools">
        <StateTabs
          label={t('Period')}
          choices={periods.map((state) => ({ state, text: labels[state] }))}
          selected={period}
          onChoose={(minutes) => setQuery({ minutes }, { replace: true })}
        />
        <RefreshButton isBusy={isFetching} onRefresh={refetch} />
      </div>
      {data.length === 0 && <p className="lead">{t('No figures yet. They arrive within 10 seconds of a request.')}</p>}
      {data.map((costs) => (
        <PageCosts key={costs.page} costs={costs} />
      ))}
    </div>
  );
}

function PageCosts({ costs: { page, requests, ms, addons } }: { costs: ShownCosts }) {
  const overBudget = addons.filter(({ isOver }) => isOver);
  const name = page ?? t('All pages');
  return (
    <details className="plan-group" open={page === null}>
      <summary>
        <h2 className="h6" translate={page?.startsWith('/') ? 'no' : undefined}>
          {name}
        </h2>
        <span className="tag">{milliseconds(ms)}</span>
        <span className="costs-about">
          {plural('{n} request', '{n} requests', requests)}
          {' · '}
          {t('{app}: {share}', { app: addons[0]?.title ?? '', share: percent(addons[0]?.share ?? 0) })}
        </span>
        {overBudget.length > 0 && (
          <span className="tag costs-over">
            {t('Over budget: {apps}', { apps: overBudget.map(({ title }) => title).join(', ') })}
          </span>
        )}
      </summary>
      <CardTable label={name} head={[t('App'), t('Share'), t('Duration'), t('Queries'), t('Size'), t('Errors')]}>
        {addons.map((cost) => (
          <CostRow key={cost.addon} cost={cost} />
        ))}
      </CardTable>
    </details>
  );
}

function CostRow({ cost: { title, share, ms, queries, bytes, errors, isOver } }: { cost: Cost }) {
  return (
    <tr>
      <td data-label={t('App')}>
        {title} {isOver && <span className="tag costs-over">{t('Over budget')}</span>}
      </td>
      <td data-label={t('Share')}>
        <span className="costs-bar" style={{ inlineSize: `${share * 100}%` }} aria-hidden="true" />
        {percent(share)}
      </td>
      <td data-label={t('Duration')}>{milliseconds(ms)}</td>
      <td data-label={t('Queries')}>{formatNumber(queries, { maximumFractionDigits: 1 })}</td>
      <td data-label={t('Size')}>{formatBytes(Math.round(bytes))}</td>
      <td data-label={t('Errors')}>{formatNumber(errors)}</td>
    </tr>
  );
}

function milliseconds(ms: number): string {
  return formatNumber(ms, { style: 'unit', unit: 'millisecond', maximumFractionDigits: ms < 10 ? 1 : 0 });
}

function percent(share: number): string {
  return formatNumber(share, { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 });
}
