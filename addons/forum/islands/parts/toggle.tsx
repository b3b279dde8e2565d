import { ActionForm, type UsedAction } from 'pergola/islands';
import type { ComponentProps } from 'react';
import { Icon } from '#addons/website/kit';
import { karmaGate } from './karma.ts';

interface Props extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  readonly of: Pick<UsedAction<Record<string, never>, unknown>, 'form' | 'error' | 'pending' | 'run'>;
  /** Where it is called. */
  readonly call: string;
  readonly isOn: boolean;
  readonly label: string;
  readonly icon: ComponentProps<typeof Icon>['of'];
  readonly className: string;
  /** The karma it takes where the reader has less. */
  readonly needs?: number | null;
}

/** A button that is on or off, in a form of its own: a call, and the form that it is without JavaScript. */
export function Toggle({ of, call, isOn, label, icon, className, needs = null, children, ...form }: Props) {
  return (
    <ActionForm {...form} of={of} data-call={call} callWith={{}}>
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
