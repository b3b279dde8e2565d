import { rpc } from 'pergola/browser';
import type { ShownSheet } from '../../services/app-sheets.ts';
import type { Outcome } from '../../services/app-switch.ts';
import type { AppAction, cardsByCategory, HistoryLine, ShownPlan } from '../../services/apps.ts';

export type { ShownSheet } from '../../services/app-sheets.ts';
export type { AppAction, AppCard, ShownPlan } from '../../services/apps.ts';

export interface Apps {
  readonly categories: ReturnType<typeof cardsByCategory>;
  readonly running: { readonly note: string; readonly since: string } | null;
}

/** Progress of a switch. */
export type Progress =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'running'; readonly note: string; readonly step: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly problems: readonly string[] };

/** Session storage key of the message shown after a switch reloads the page. */
export const MESSAGE_KEY = 'apps.done';

export const appKeys = { list: ['apps'] as const, history: ['apps', 'history'] as const };

export const fetchApps = (): Promise<Apps> => rpc('/web/backend/apps', {});
export const fetchPlan = (name: string, action: AppAction): Promise<ShownPlan> =>
  rpc('/web/backend/apps/plan', { name, action });

/** Returns the plan delivered with the page opened at its address. Only once, because a plan becomes outdated. */
export function planOfPage(name: string, action: AppAction): ShownPlan | undefined {
  const place = document.getElementById('backend-given');
  if (!place) return undefined;
  place.remove();
  const pagePlan = JSON.parse(place.textContent ?? '{}') as { name?: string; action?: string; plan?: ShownPlan };
  return pagePlan.name === name && pagePlan.action === action ? pagePlan.plan : undefined;
}

export const fetchHistory = (): Promise<readonly HistoryLine[]> => rpc('/web/backend/apps/history', { limit: 100 });
export const fetchSheet = (name: string): Promise<ShownSheet> => rpc('/web/backend/apps/sheet', { name });
export const fetchProgress = (name: string, afterId: number): Promise<Progress> =>
  rpc('/web/backend/apps/progress', { name, after: afterId });
export const beginSwitch = (input: {
  name: string;
  action: AppAction;
  parties: string;
  confirm: string;
}): Promise<Exclude<Outcome, { kind: 'done' }>> => rpc('/web/backend/apps/run', input);
export const retryApp = (name: string): Promise<Outcome> => rpc('/web/backend/apps/retry', { name });
