import { useQueryClient } from '@tanstack/react-query';
import { RpcError, t } from 'pergola/browser';
import { useState } from 'react';
import { useTrouble } from '../lib/trouble.tsx';
import { type AppAction, appKeys, beginSwitch, MESSAGE_KEY, planKey, type ShownPlan } from './calls.ts';
import { useSwitch } from './use-switch.ts';

/** Runs an action that the administrator confirms, with the typed name if its plan asks for one. */
export function useConfirmedSwitch({
  name,
  action,
  plan,
  rehearsed,
}: {
  name: string;
  action: AppAction;
  plan: ShownPlan;
  /** Fingerprint of the rehearsal that is confirmed. */
  rehearsed?: string;
}) {
  const client = useQueryClient();
  const report = useTrouble();
  const [confirmation, setConfirmation] = useState('');
  const [fault, setFault] = useState('');
  const { state, follow, fail } = useSwitch(name);
  const go = async (): Promise<void> => {
    setFault('');
    try {
      const { parties } = plan;
      const start = await beginSwitch({ name, action, parties, confirm: confirmation, rehearsed });
      if (start.kind === 'failed') {
        fail(start.problems);
        return;
      }
      const outcome = await follow(start.after);
      await client.invalidateQueries({ queryKey: appKeys.list });
      if (outcome !== 'done') return;
      // The switch adds or removes the app's menus, texts and screens: reloads the page, which then shows the message.
      sessionStorage.setItem(MESSAGE_KEY, successText(plan, action));
      location.assign('/web/apps');
    } catch (error) {
      if (error instanceof RpcError && error.fields.confirm) setFault(error.fields.confirm);
      else {
        report(error);
        void client.invalidateQueries({ queryKey: planKey(name, action) });
      }
    }
  };
  return { state, go, confirmation, setConfirmation, fault };
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
