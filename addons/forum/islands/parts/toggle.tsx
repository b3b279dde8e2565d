import { Icon } from '@pergola/website/kit';
import { ActionForm, type UsedAction } from 'pergola/islands';
import type { ComponentProps } from 'react';
import { karmaGate } from './karma.ts';

interface Props extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  readonly of: Pick<UsedAction<Record<string, never>, unknown>, 'form' | 'error' | 'pending' | 'run'>;
  /** URL of the call. */
  readonly call: string;
  readonly isOn: boolean;
  readonly label: string;
  readonly icon: ComponentProps<typeof Icon>['of'];
  readonly className: string;
  /** Required karma if the reader has less, else null. */
  readonly needs?: number | null;
}

/** Toggle button in a form: makes a call, or submits the form without JavaScript. */
export function Toggle({ of: action, call, isOn, label, icon, className, needs = null, children, ...form }: Props) {
  return (
    <ActionForm {...form} of={action} data-call={call} callWith={{}}>
      <button
        className={`${className}${isOn ? ' is-on' : ''}`}
        type="submit"
        aria-pressed={isOn}
        aria-label={label}
        {...karmaGate(needs)}
      >
        <Icon of={icon} />
      </button>
      {children}
    </ActionForm>
  );
}
