import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import type { FormEvent, ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { formatNumber } from '../lib/format.ts';
import { useTrouble } from '../lib/trouble.tsx';
import { Moment } from '../settings/parts.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { NotFound } from '../shell/not-found.tsx';
import {
  type AppAction,
  actionOf,
  beginRehearsal,
  fetchPlan,
  fetchRehearsal,
  planKey,
  rehearsalKey,
  type ShownAppRehearsal,
  type ShownDifference,
  type ShownPlan,
  stopRehearsal,
} from './calls.ts';
import { ConfirmName } from './confirm-name.tsx';
import { ProblemList } from './problem-list.tsx';
import { SwitchProgress } from './switch-progress.tsx';
import { useConfirmedSwitch } from './use-confirmed-switch.tsx';

const POLL_MS = 1_000;

interface AppPlace {
  readonly name: string;
  readonly action: AppAction;
}
type Report = NonNullable<ShownAppRehearsal['report']>;

/** Tries an action on a copy of the site, shows what would be different, and makes exactly that change. */
export function RehearsalScreen() {
  const { name = '', action: word = '' } = useParams();
  const action = actionOf(word);
  return action ? <AppRehearsal key={`${name} ${action}`} name={name} action={action} /> : <NotFound />;
}

function AppRehearsal({ name, action }: AppPlace) {
  const { data: plan } = useSuspenseQuery({
    queryKey: planKey(name, action),
    queryFn: () => fetchPlan(name, action),
    staleTime: 10_000,
    gcTime: 0,
  });
  const { data: rehearsal } = useSuspenseQuery({
    queryKey: rehearsalKey(name, action),
    queryFn: () => fetchRehearsal(name, action),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  });
  const confirmed = useConfirmedSwitch({ name, action, plan, rehearsed: rehearsal?.report?.fingerprint ?? undefined });
  const back = (
    <Link className="btn btn-outline-secondary" to={`/web/apps/${name}/${action}`}>
      {t('Back to the plan')}
    </Link>
  );
  const start = <StartButton name={name} action={action} isFirst={rehearsal === null} />;
  return (
    <SwitchProgress plan={plan} state={confirmed.state} back={back}>
      <div className="apps-plan" data-slot="app-rehearsal">
        <Crumbs current={t('Rehearsal: {what}', { what: plan.heading })} />
        {rehearsal?.state === 'running' ? (
          <RunningRehearsal name={name} action={action} rehearsal={rehearsal} />
        ) : (
          <EndedRehearsal rehearsal={rehearsal} plan={plan} confirmed={confirmed} start={start} back={back} />
        )}
      </div>
    </SwitchProgress>
  );
}

function StartButton({ name, action, isFirst }: AppPlace & { isFirst: boolean }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => beginRehearsal(name, action),
    onSuccess: () => client.invalidateQueries({ queryKey: rehearsalKey(name, action) }),
    onError: useTrouble(),
  });
  return (
    <BusyButton
      type="button"
      className={`btn btn-${isFirst ? 'primary' : 'outline-secondary'}`}
      busy={isPending}
      onClick={() => mutate()}
    >
      {isFirst ? t('Start the rehearsal') : t('Rehearse again')}
    </BusyButton>
  );
}

function RunningRehearsal({ name, action, rehearsal }: AppPlace & { rehearsal: ShownAppRehearsal }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => stopRehearsal(rehearsal.id),
    onSuccess: () => client.invalidateQueries({ queryKey: rehearsalKey(name, action) }),
    onError: useTrouble(),
  });
  const { step, done, total } = rehearsal;
  return (
    <>
      <p>{t('Nothing in your site changes. You can leave this page; the rehearsal goes on.')}</p>
      <progress className="app-progress" aria-label={step} {...(total > 0 && { value: done, max: total })} />
      <p role="status">{step}</p>
      {total > 0 && <p>{t('{done} of {total}', { done: formatNumber(done), total: formatNumber(total) })}</p>}
      <p className="page-actions">
        <BusyButton type="button" className="btn btn-outline-secondary" busy={isPending} onClick={() => mutate()}>
          {t('Stop')}
        </BusyButton>
      </p>
    </>
  );
}

function EndedRehearsal({
  rehearsal,
  plan,
  confirmed: { go, confirmation, setConfirmation, fault },
  start,
  back,
}: {
  rehearsal: ShownAppRehearsal | null;
  plan: ShownPlan;
  confirmed: ReturnType<typeof useConfirmedSwitch>;
  start: ReactNode;
  back: ReactNode;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void go();
  };
  const isPossible = plan.problems.length === 0 && plan.reviews.length === 0 && !plan.nothing;
  const report = rehearsal?.report ?? null;
  const mayGo = isPossible && report !== null && report.fingerprint !== null;
  return (
    <>
      {report === null ? <NoReport rehearsal={rehearsal} /> : <RehearsalReport report={report} />}
      {rehearsal !== null && (
        <p className="costs-about">
          <Moment iso={rehearsal.begun} /> · {rehearsal.by}
        </p>
      )}
      <form className="mt-4" noValidate onSubmit={submit}>
        {mayGo && plan.confirm && (
          <ConfirmName name={plan.confirm} confirmation={confirmation} fault={fault} onChange={setConfirmation} />
        )}
        {mayGo && <p>{t('The site gets exactly this change, or none if anything has changed since.')}</p>}
        <p className="page-actions">
          {mayGo && (
            <BusyButton className={`btn btn-${report.verdict === 'fails' ? 'danger' : plan.emphasis}`}>
              {plan.button}
            </BusyButton>
          )}
          {isPossible && start}
          {back}
        </p>
      </form>
    </>
  );
}

function NoReport({ rehearsal }: { rehearsal: ShownAppRehearsal | null }) {
  if (rehearsal?.state === 'stopped') return <p className="lead">{t('The rehearsal was stopped.')}</p>;
  if (rehearsal)
    return (
      <div className="alert alert-danger" role="alert">
        <p>{t('The rehearsal ended early.')}</p>
        {rehearsal.trouble && <ProblemList problems={[rehearsal.trouble]} />}
      </div>
    );
  return (
    <p>
      {t(
        'Makes the change on a copy of the site, and compares pages as visitor, customer, editor and administrator. No email is sent.',
      )}
    </p>
  );
}

const alerts: Record<Report['verdict'], string> = { same: 'success', differs: 'info', fails: 'danger' };

function RehearsalReport({ report: { verdict, summary, notes, kinds } }: { report: Report }) {
  const verdicts: Record<Report['verdict'], string> = {
    same: t('Nothing would be different.'),
    differs: t('The site would be different, without errors.'),
    fails: t('The change would cause errors.'),
  };
  return (
    <>
      <div className={`alert alert-${alerts[verdict]}`} role="status">
        <strong>{verdicts[verdict]}</strong> {summary}
      </div>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {kinds.map(({ title, count, groups }, index) => (
        <details key={title} className="plan-group" open={index === 0}>
          <summary>
            <h2 className="h6">{title}</h2> <span className="tag">{formatNumber(count)}</span>
          </summary>
          <ul className="rehearsal-differences">
            {groups.map((difference) => (
              <Difference key={`${difference.place} ${difference.details} ${difference.after}`} {...difference} />
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

function Difference({ place, isPage, details, before, after }: ShownDifference) {
  return (
    <li>
      <p translate="no">
        {isPage ? (
          <a href={place} target="_blank" rel="noreferrer">
            {place}
          </a>
        ) : (
          place
        )}{' '}
        <span className="costs-about" translate="yes">
          {details}
        </span>
      </p>
      {before !== null && (
        <del>
          <span className="visually-hidden">{t('Before:')} </span>
          {before}
        </del>
      )}
      {after !== null && (
        <ins>
          <span className="visually-hidden">{t('After:')} </span>
          {after}
        </ins>
      )}
    </li>
  );
}
