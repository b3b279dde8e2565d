import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import type { FormEvent } from 'react';
import { Link, useParams } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { formatNumber } from '../lib/format.ts';
import { useTrouble } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { type AppAction, actionOf, allowCode, fetchPlan, planKey, planOfPage, type ShownPlan } from './calls.ts';
import { ConfirmName } from './confirm-name.tsx';
import { ProblemList } from './problem-list.tsx';
import { SheetGroups } from './sheet-groups.tsx';
import { SwitchProgress } from './switch-progress.tsx';
import { useConfirmedSwitch } from './use-confirmed-switch.tsx';

/** Shows the consequences of an action on an app, and runs it. */
export function PlanScreen() {
  const { name = '', action: word = '' } = useParams();
  const action = actionOf(word);
  return action ? <Plan key={`${name} ${action}`} name={name} action={action} /> : <NotFound />;
}

function Plan({ name, action }: { name: string; action: AppAction }) {
  const client = useQueryClient();
  const report = useTrouble();
  const { data: plan } = useSuspenseQuery({
    queryKey: planKey(name, action),
    queryFn: () => fetchPlan(name, action),
    initialData: () => planOfPage(name, action),
    staleTime: 10_000,
    gcTime: 0,
  });
  const { state, go, confirmation, setConfirmation, fault } = useConfirmedSwitch({ name, action, plan });
  const allow = useMutation({
    mutationFn: () => allowCode({ name, action, digests: plan.reviews.map(({ digest }) => digest) }),
    onSuccess: (next) => client.setQueryData(planKey(name, action), next),
    onError: report,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (plan.reviews.length > 0) allow.mutate();
    else void go();
  };
  const isPossible = plan.problems.length === 0 && !plan.nothing;
  const back = (
    <Link className="btn btn-outline-secondary" to="/web/apps">
      {t('Back to Apps')}
    </Link>
  );
  return (
    <SwitchProgress plan={plan} state={state} back={back}>
      <div className="apps-plan" data-slot="app-plan">
        <Crumbs current={plan.heading} />
        {plan.nothing && <p className="lead">{t('Nothing to do.')}</p>}
        {plan.problems.length > 0 && (
          <div className="alert alert-danger" role="alert">
            <p>{t('This isn’t possible. Nothing was changed.')}</p>
            <ProblemList problems={plan.problems} />
          </div>
        )}
        {plan.reviews.map((review) => (
          <Review key={review.digest} review={review} />
        ))}
        <Consequences plan={plan} />
        <form className="mt-4" noValidate onSubmit={submit}>
          {plan.problems.length === 0 && plan.confirm && (
            <ConfirmName name={plan.confirm} confirmation={confirmation} fault={fault} onChange={setConfirmation} />
          )}
          <p className="page-actions">
            {isPossible && (
              <BusyButton
                className={`btn btn-${plan.reviews.length > 0 ? 'primary' : plan.emphasis}`}
                busy={allow.isPending}
              >
                {plan.reviews.length > 0 ? t('Allow and continue') : plan.button}
              </BusyButton>
            )}
            {isPossible && plan.reviews.length === 0 && <RehearsalLink name={name} action={action} />}
            {back}
          </p>
        </form>
      </div>
    </SwitchProgress>
  );
}

/** Opens the latest rehearsal of the action, from where one can be started. */
function RehearsalLink({ name, action }: { name: string; action: AppAction }) {
  return (
    <Link className="btn btn-outline-secondary" to={`/web/apps/${name}/${action}/rehearsal`}>
      {t('Rehearse on a copy')}
    </Link>
  );
}

/** Capabilities of an app's code to allow before it runs. */
function Review({ review: { title, intro, groups, removed } }: { review: ShownPlan['reviews'][number] }) {
  return (
    <section data-slot="app-review">
      <h2 className="h5">{title}</h2>
      <p>{intro}</p>
      <SheetGroups groups={groups} />
      {removed.length > 0 && (
        <details className="plan-group">
          <summary>
            <h2 className="h6">{t('No longer does')}</h2> <span className="tag">{formatNumber(removed.length)}</span>
          </summary>
          <ul>
            {removed.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Consequences({ plan }: { plan: ShownPlan }) {
  return (
    <>
      {plan.addons.length > 0 && (
        <ul className="plan-addons">
          {plan.addons.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}</strong> <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {plan.consequences.length > 0 && (
        <section data-slot="app-consequences">
          <h2 className="h5">{t('What this means')}</h2>
          <ul className="plan-consequences">
            {plan.consequences.map((consequence) => (
              <ConsequenceRow key={consequence.text} {...consequence} />
            ))}
          </ul>
        </section>
      )}
      {plan.groups.map(({ title, sentences, long }) => (
        <details key={title} className="plan-group" open={!long}>
          <summary>
            <h2 className="h6">{title}</h2> <span className="tag">{sentences.length}</span>
          </summary>
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

function ConsequenceRow({ count, text, amounts, names }: ShownPlan['consequences'][number]) {
  return (
    <li>
      {count && <strong>{count}</strong>}
      <div>
        {text}
        {amounts && <> · {amounts}</>}
        {names.length > 0 && (
          <details>
            <summary>{t('Show names')}</summary>
            <ul>
              {names.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}
