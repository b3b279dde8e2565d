import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, notify, plural, t } from 'pergola/browser';
import { zoneName } from 'pergola/zones';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { PageBar } from '../lib/page-bar.tsx';
import { RefreshButton } from '../lib/refresh-button.tsx';
import { useStart } from '../lib/start.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type JobState, type QueuedJob, settingsCalls } from './calls.ts';
import { CardTable, SiteMoment, StateTabs } from './parts.tsx';

const LIMIT = 50;
type Chosen = JobState | 'all';

function stateText(state: JobState): string {
  if (state === 'waiting') return t('Waiting');
  return state === 'running' ? t('Running') : t('Failed');
}

/** Background jobs: queued, running and finally failed ones, which can be retried. */
export function JobsScreen() {
  const client = useQueryClient();
  const { siteTimezone } = useStart();
  const [query] = useSearchParams();
  const [state, setState] = useState<Chosen>(query.get('state') === 'dead' ? 'dead' : 'all');
  const [offset, setOffset] = useState(0);
  const params = { limit: LIMIT, offset, ...(state === 'all' ? {} : { state }) };
  const { data } = useQuery({
    queryKey: ['jobs', params],
    queryFn: () => settingsCalls.jobs(params),
    placeholderData: keepPreviousData,
  });
  const refresh = () => client.invalidateQueries({ queryKey: ['jobs'] });
  const retry = useMutation({
    mutationFn: (ids: readonly number[]) => settingsCalls.retryJobs({ ids }),
    onSuccess: async (count) => {
      notify(plural('{n} job will run again.', '{n} jobs will run again.', count));
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: async (ids: readonly number[]) => {
      if (!(await confirmDialog(t('Delete the failed jobs? They won’t run again.'), { yes: t('Delete') }))) return 0;
      return settingsCalls.deleteJobs({ ids });
    },
    onSuccess: refresh,
  });
  const jobs = data?.jobs ?? [];
  const begins = `${t('Starts')} (${zoneName(siteTimezone, t)})`;
  const dead = jobs.filter((job) => job.state === 'dead').map(({ id }) => id);
  const states = data?.states;
  const isBusy = retry.isPending || remove.isPending;
  return (
    <>
      <Crumbs current={t('Jobs')} />
      <div className="settings-tools">
        <StateTabs
          label={t('Show')}
          selected={state}
          onChoose={(next) => {
            setState(next);
            setOffset(0);
          }}
          choices={[
            {
              state: 'all' as Chosen,
              text: t('All'),
              count: states ? states.waiting + states.running + states.dead : 0,
            },
            ...(['waiting', 'running', 'dead'] as const).map((jobState) => ({
              state: jobState as Chosen,
              text: stateText(jobState),
              count: states?.[jobState] ?? 0,
            })),
          ]}
        />
        <RefreshButton onRefresh={refresh} />
        {dead.length > 1 && (
          <>
            <button
              type="button"
              className="btn btn-sm btn-outline-secondary"
              disabled={isBusy}
              onClick={() => retry.mutate(dead)}
            >
              {t('Retry all {n}', { n: formatNumber(dead.length) })}
            </button>
            <button
              type="button"
              className="btn btn-sm btn-outline-danger"
              disabled={isBusy}
              onClick={() => remove.mutate(dead)}
            >
              {t('Delete all {n}', { n: formatNumber(dead.length) })}
            </button>
          </>
        )}
      </div>
      {data && jobs.length === 0 && <p>{t('The queue is empty.')}</p>}
      {jobs.length > 0 && (
        <CardTable label={t('Jobs')} head={[t('Job'), t('Status'), begins, t('Attempts'), t('Actions')]}>
          {jobs.map((job) => (
            <JobRow
              key={job.id}
              job={job}
              begins={begins}
              isBusy={isBusy}
              onRetry={() => retry.mutate([job.id])}
              onDelete={() => remove.mutate([job.id])}
            />
          ))}
        </CardTable>
      )}
      {data && <PageBar limit={LIMIT} offset={offset} total={data.total} onGo={setOffset} />}
      <ScheduledJobs />
    </>
  );
}

/** Scheduled jobs and their next runs. */
function ScheduledJobs() {
  const client = useQueryClient();
  const { siteTimezone } = useStart();
  const { data = [] } = useQuery({ queryKey: ['schedule'], queryFn: () => settingsCalls.schedule({}) });
  const run = useMutation({
    mutationFn: ({ name }: { name: string; label: string }) => settingsCalls.runScheduled({ name }),
    onSuccess: async (_, { label }) => {
      notify(t('{job} starts in a moment.', { job: label }));
      await client.invalidateQueries({ queryKey: ['schedule'] });
      await client.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
  const nextRun = `${t('Next run')} (${zoneName(siteTimezone, t)})`;
  if (data.length === 0) return null;
  return (
    <section className="mt-4" aria-labelledby="scheduled-jobs">
      <h2 className="h4" id="scheduled-jobs">
        {t('Scheduled jobs')}
      </h2>
      <CardTable label={t('Scheduled jobs')} head={[t('Job'), nextRun, t('Actions')]}>
        {data.map(({ name, label, nextRun: runTime }) => (
          <tr key={name}>
            <td data-label={t('Job')}>
              {label}
              <small className="d-block text-body-secondary" translate="no">
                {name}
              </small>
            </td>
            <td data-label={nextRun}>
              <SiteMoment iso={runTime} />
            </td>
            <td>
              <button
                type="button"
                className="btn btn-sm btn-outline-secondary"
                disabled={run.isPending}
                onClick={() => run.mutate({ name, label })}
                aria-label={t('{action}: {name}', { action: t('Run now'), name: label })}
              >
                {t('Run now')}
              </button>
            </td>
          </tr>
        ))}
      </CardTable>
    </section>
  );
}

function JobRow({
  job,
  begins,
  isBusy,
  onRetry,
  onDelete,
}: {
  job: QueuedJob;
  begins: string;
  isBusy: boolean;
  onRetry(): void;
  onDelete(): void;
}) {
  const { name, state, runAt, attempt, error, input } = job;
  const retryLabel = state === 'dead' ? t('Try again') : t('Run now');
  const hasInput = input !== null && JSON.stringify(input) !== '{}';
  return (
    <tr>
      <td data-label={t('Job')}>
        <span translate="no">{name}</span>
        {hasInput && (
          <details>
            <summary>{t('Details')}</summary>
            <pre className="form-json">{JSON.stringify(input, null, 2)}</pre>
          </details>
        )}
      </td>
      <td data-label={t('Status')}>
        <span className={`tag settings-state-${state}`}>{stateText(state)}</span>
        {error && (
          <details className="settings-error" open={state === 'dead'}>
            <summary>{t('Error')}</summary>
            <code>{error}</code>
          </details>
        )}
      </td>
      <td data-label={begins}>
        <SiteMoment iso={runAt} />
      </td>
      <td data-label={t('Attempts')}>{formatNumber(attempt)}</td>
      <td>
        {state !== 'running' && (
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            disabled={isBusy}
            onClick={onRetry}
            aria-label={t('{action}: {name}', { action: retryLabel, name: name })}
          >
            {retryLabel}
          </button>
        )}{' '}
        {state === 'dead' && (
          <button
            type="button"
            className="btn btn-sm btn-icon"
            disabled={isBusy}
            aria-label={t('Delete {name}', { name })}
            title={t('Delete')}
            onClick={onDelete}
          >
            <Icon name="trash" />
          </button>
        )}
      </td>
    </tr>
  );
}
