import type { AppAction, ShownPlan } from '../../services/apps.ts';
import { callRoute, type InputOf, type ResultOf } from '../lib/call-route.ts';

export type { ShownCosts } from '../../services/admin/costs.ts';
export type { ShownAppRehearsal, ShownDifference } from '../../services/app-rehearsals.ts';
export type { SheetGroup } from '../../services/app-sheets.ts';
export type { AppAction, AppCard, ShownPlan } from '../../services/apps.ts';

export type Apps = ResultOf<'/web/backend/apps'>;

/** Session storage key of the message shown after a switch reloads the page. */
export const MESSAGE_KEY = 'apps.done';

export const appKeys = { list: ['apps'] as const, history: ['apps', 'history'] as const };

export const fetchApps = () => callRoute('/web/backend/apps', {});
export const fetchPlan = (name: string, action: AppAction) => callRoute('/web/backend/apps/plan', { name, action });

export const planKey = (name: string, action: AppAction) => [...appKeys.list, 'plan', name, action] as const;
export const rehearsalKey = (name: string, action: AppAction) => [...appKeys.list, 'rehearsal', name, action] as const;

const actions: readonly AppAction[] = ['enable', 'disable', 'upgrade', 'uninstall'];

/** The action in an address, if there is such an action. */
export const actionOf = (word: string): AppAction | undefined => actions.find((action) => action === word);

/** Returns the plan delivered with the page opened at its address. Only once, because a plan becomes outdated. */
export function planOfPage(name: string, action: AppAction): ShownPlan | undefined {
  const place = document.getElementById('backend-given');
  if (!place) return undefined;
  place.remove();
  const pagePlan = JSON.parse(place.textContent ?? '{}') as { name?: string; action?: string; plan?: ShownPlan };
  return pagePlan.name === name && pagePlan.action === action ? pagePlan.plan : undefined;
}

export const allowCode = (input: InputOf<'/web/backend/apps/allow'>) => callRoute('/web/backend/apps/allow', input);
export const fetchHistory = () => callRoute('/web/backend/apps/history', { limit: 100 });
export const fetchSheet = (name: string) => callRoute('/web/backend/apps/sheet', { name });
export const fetchCosts = (minutes: number) => callRoute('/web/backend/apps/costs', { minutes });
export const fetchProgress = (name: string, after: number) => callRoute('/web/backend/apps/progress', { name, after });
export const beginSwitch = (input: InputOf<'/web/backend/apps/run'>) => callRoute('/web/backend/apps/run', input);
export const retryApp = (name: string) => callRoute('/web/backend/apps/retry', { name });
export const switchOnApp = (name: string) => callRoute('/web/backend/apps/switch-on', { name });
export const beginRehearsal = (name: string, action: AppAction) =>
  callRoute('/web/backend/apps/rehearse', { name, action });
export const fetchRehearsal = (name: string, action: AppAction) =>
  callRoute('/web/backend/apps/rehearsal', { name, action });
export const stopRehearsal = (id: number) => callRoute('/web/backend/apps/rehearsal/stop', { id });
