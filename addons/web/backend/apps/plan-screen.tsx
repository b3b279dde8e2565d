import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { RpcError, t } from 'pergola/browser';
import { type FormEvent, useState } from 'react';
import { Link, useParams } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { TextField } from '../../kit/field.tsx';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { NotFound } from '../shell/not-found.tsx';
import {
  type AppAction,
  allowCode,
  appKeys,
  beginSwitch,
  fetchPlan,
  MESSAGE_KEY,
  planOfPage,
  type ShownPlan,
} from './calls.ts';
import { ProblemList } from './problem-list.tsx';
import { SheetGroups } from './sheet-groups.tsx';
import { type Step, useSwitch } from './use-switch.ts';

const actions: readonly string[] = ['enable', 'disable', 'upgrade', 'uninstall'] satisfies AppAction[];

/** Shows the consequences of an action on an app, and runs it. */
export function PlanScreen() {
  const { name = '', action = '' } = useParams();
  return actions.includes(action) ? (
    <Plan key={`${name} ${action}`} name={name} action={action as AppAction} />
  ) : (
    <NotFound />
  );
}

function Plan({ name, action }: { name: string; action: AppAction }) {
  const client = useQueryClient();
  const report = useTrouble();
  const key = [...appKeys.list, 'plan', name, action];
  const { data: plan } = useSuspenseQuery({
    queryKey: key,
    queryFn: () => fetchPlan(name, action),
    initialData: () => planOfPage(name, action),
    staleTime: 10_000,
    gcTime: 0,
  });
  const [confirmation, setConfirmation] = useState('');
  const [fault, setFault] = useState('');
  const run = useSwitch(name);
  const back = (
    <Link className="btn btn-outline-secondary" to="/web/apps">
      {t('Back to Apps')}
    </Link>
  );
  const allow = useMutation({
    mutationFn: () => allowCode({ name, action, digests: plan.reviews.map(({ digest }) => digest) }),
    onSuccess: (next) => client.setQueryData(key, next),
    onError: report,
  });
  const go = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFault('');
    if (plan.reviews.length > 0) {
      allow.mutate();
      return;
    }
    try {
      const start = await beginSwitch({ name, action, parties: plan.parties, confirm: confirmation });
      if (start.kind === 'failed') {
        run.fail(start.problems);
        return;
      }
      const outcome = await run.follow(start.after);
      await client.invalidateQueries({ queryKey: appKeys.list });
      if (outcome !== 'done') return;
      // The switch adds or removes the app's menus, texts and screens: reloads the page, which then shows the message.
      sessionStorage.setItem(MESSAGE_KEY, successText(plan, action));
      location.assign('/web/apps');
    } catch (error) {
      if (error instanceof RpcError && error.fields.confirm) setFault(error.fields.confirm);
      else {
        report(error);
        void client.invalidateQueries({ queryKey: key });
      }
    }
  };
  if (run.state.kind === 'running') return <Running plan={plan} steps={run.state.steps} />;
  if (run.state.kind === 'failed') return <Failed plan={plan} problems={run.state.problems} back={back} />;
  return (
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
      <form className="mt-4" noValidate onSubmit={(event) => void go(event)}>
        {plan.problems.length === 0 && plan.confirm && (
          <ConfirmName name={plan.confirm} confirmation={confirmation} fault={fault} onChange={setConfirmation} />
        )}
        <p className="page-actions">
          {plan.problems.length === 0 && !plan.nothing && (
            <BusyButton
              className={`btn btn-${plan.reviews.length > 0 ? 'primary' : plan.emphasis}`}
              busy={allow.isPending}
            >
              {plan.reviews.length > 0 ? t('Allow and continue') : plan.button}
            </BusyButton>
          )}
          {back}
        </p>
      </form>
    </div>
  );
}

function successText({ addons }: ShownPlan, action: AppAction): string {
  const title = addons.map((addon) => addon.title).join(', ');
  const isOne = addons.length === 1;
  if (action === 'enable') return isOne ? t('{title} is enabled.', { title }) : t('{title} are enabled.', { title });
  if (action === 'disable') {
    if (isOne) return t('{title} is disabled. Its data is kept.', { title });
    return t('{title} are disabled. Their data is kept.', { title });
  }
  if (action === 'upgrade')
    return isOne ? t('{title} is up to date.', { title }) : t('{title} are up to date.', { title });
  return t('{title} is uninstalled. Its data was archived first.', { title });
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

function ConfirmName({
  name,
  confirmation,
  fault,
  onChange,
}: {
  name: string;
  confirmation: string;
  fault: string;
  onChange(typed: string): void;
}) {
  return (
    <TextField
      wrap="mb-3 plan-confirm"
      label={
        <>
          {t('To confirm, type')} <strong translate="no">{name}</strong>
        </>
      }
      help={t('The data is archived on the server first.')}
      error={fault}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      value={confirmation}
      onChange={onChange}
    />
  );
}

function Running({ plan, steps }: { plan: ShownPlan; steps: readonly Step[] }) {
  return (
    <div className="apps-plan" data-slot="app-progress">
      <Crumbs current={plan.heading} />
      <p>{t('The site stays online in the meantime. You can leave this page.')}</p>
      <progress className="app-progress" aria-label={t('In progress')} />
      <ol className="apps-steps" role="status">
        {steps.map(({ text, isOver }) => (
          <li key={text}>
            <Icon name={isOver ? 'check-lg' : 'hourglass-split'} /> {text}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Failed({ plan, problems, back }: { plan: ShownPlan; problems: readonly string[]; back: React.ReactNode }) {
  return (
    <div className="apps-plan" data-slot="app-failed">
      <Crumbs current={plan.heading} />
      <div className="alert alert-danger" role="alert">
        <p>{t('That didn’t work. Nothing was changed.')}</p>
        <ProblemList problems={problems} />
      </div>
      <p className="page-actions">{back}</p>
    </div>
  );
}
