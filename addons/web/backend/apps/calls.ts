import { rpc } from '#core/browser';

export type AppAction = 'enable' | 'disable' | 'upgrade' | 'uninstall';

/** An addon as its card shows it. */
export interface AppCard {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly icon: string;
  readonly state: 'enabled' | 'disabled' | 'uninstalled' | 'broken';
  readonly stateText: string;
  readonly version: string;
  readonly permanent: boolean;
  readonly outside: boolean;
  readonly problems: readonly string[];
  readonly actions: readonly { readonly action: AppAction; readonly text: string; readonly primary: boolean }[];
  readonly retry: boolean;
}

export interface Apps {
  readonly categories: readonly { readonly category: string; readonly cards: readonly AppCard[] }[];
  readonly running: { readonly note: string; readonly since: string } | null;
}

/** What an action would do. */
export interface AppPlan {
  readonly heading: string;
  readonly button: string;
  readonly addons: readonly { readonly title: string; readonly text: string }[];
  readonly groups: readonly { readonly title: string; readonly sentences: readonly string[]; readonly long: boolean }[];
  readonly problems: readonly string[];
  /** What has to be typed. */
  readonly confirm: string | null;
  readonly parties: string;
  readonly nothing: boolean;
}

/** How a switch goes. */
export type Progress =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'running'; readonly note: string; readonly step: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly problems: readonly string[] };

export interface HistoryLine {
  readonly id: number;
  readonly at: string;
  readonly by: string;
  readonly what: string;
  readonly addons: readonly string[];
  readonly done: boolean;
  readonly seconds: number;
  readonly summary: readonly string[];
  readonly problems: readonly string[];
}

/** Under this key the page that begins anew after a switch finds what to say. */
export const DONE_NOTE = 'apps.done';

export const appKeys = { list: ['apps'] as const, history: ['apps', 'history'] as const };

export const fetchApps = (): Promise<Apps> => rpc('/web/backend/apps', {});
export const fetchPlan = (name: string, action: AppAction): Promise<AppPlan> =>
  rpc('/web/backend/apps/plan', { name, action });

/** The plan that came with the page, as it was opened by its address; only once, for it grows old. */
export function planOfPage(name: string, action: AppAction): AppPlan | undefined {
  const place = document.getElementById('backend-given');
  if (!place) return undefined;
  place.remove();
  const given = JSON.parse(place.textContent ?? '{}') as { name?: string; action?: string; plan?: AppPlan };
  return given.name === name && given.action === action ? given.plan : undefined;
}

export const fetchHistory = (): Promise<readonly HistoryLine[]> => rpc('/web/backend/apps/history', { limit: 100 });
export const fetchProgress = (name: string, after: number): Promise<Progress> =>
  rpc('/web/backend/apps/progress', { name, after });
export const beginSwitch = (about: {
  name: string;
  action: AppAction;
  parties: string;
  confirm: string;
}): Promise<{ kind: 'running'; after: number } | { kind: 'failed'; problems: readonly string[] }> =>
  rpc('/web/backend/apps/run', about);
export const retryApp = (
  name: string,
): Promise<{ kind: 'running'; after: number } | Exclude<Progress, { kind: 'running' | 'unknown' }>> =>
  rpc('/web/backend/apps/retry', { name });
