import { t } from 'pergola/browser';
import type { ReactNode } from 'react';
import { Icon } from '../lib/icon.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import type { ShownPlan } from './calls.ts';
import { ProblemList } from './problem-list.tsx';
import type { Step, SwitchState } from './use-switch.ts';

/** A switch in progress, or the report of a failed one; otherwise the children. */
export function SwitchProgress({
  plan,
  state,
  back,
  children,
}: {
  plan: ShownPlan;
  state: SwitchState;
  back: ReactNode;
  children: ReactNode;
}) {
  if (state.kind === 'running') return <Running plan={plan} steps={state.steps} />;
  if (state.kind === 'failed') return <Failed plan={plan} problems={state.problems} back={back} />;
  return children;
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

function Failed({ plan, problems, back }: { plan: ShownPlan; problems: readonly string[]; back: ReactNode }) {
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
