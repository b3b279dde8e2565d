import { route, z } from 'pergola';
import { addonManager, beginRehearsal, KEPT_MINUTES, listBreakers, resetBreakers, stopRehearsal } from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { shownCosts } from '../services/admin/costs.ts';
import { shownRehearsal } from '../services/app-rehearsals.ts';
import { AppSheets, planWithSheets } from '../services/app-sheets.ts';
import { beginSwitch, retryBroken } from '../services/app-switch.ts';
import { appActions, cardsByCategory, historyLine, problemText } from '../services/apps.ts';
import { t } from '../texts.ts';

const admin = { auth: 'user', groups: ['base.group_system'] } as const;
const name = z.string().regex(/^[a-z][a-z0-9_]{0,40}$/);
const action = z.enum(appActions);

/** Lists all addons by title, with any running switch. */
const list = route.rpc('/web/backend/apps', { ...admin, name: 'web.backend_apps' }, async ({ ctx }) => {
  const manager = addonManager(ctx);
  const running = await manager.running();
  return {
    categories: cardsByCategory(ctx, await manager.list({ look: true }), await listBreakers(ctx), ''),
    running: running && { note: running.note, since: running.since.toISOString() },
  };
});

/** Returns the plan of an action without running it. */
const plan = route.rpc(
  '/web/backend/apps/plan',
  { ...admin, name: 'web.backend_app_plan', input: z.object({ name, action }) },
  ({ ctx, input }) => planWithSheets(ctx, input.action, input.name),
);

/** Allows the code of the apps in a plan to run; returns the plan with its consequences. */
const allow = route.rpc(
  '/web/backend/apps/allow',
  {
    ...admin,
    name: 'web.backend_app_allow',
    writes: true,
    input: z.object({ name, action, digests: z.array(z.string().max(64)).max(50) }),
    prepare: ({ ctx, input }) => planWithSheets(ctx, input.action, input.name, input.digests),
  },
  ({ prepared }) => prepared,
);

/** Returns what an app can do. */
const sheet = route.rpc(
  '/web/backend/apps/sheet',
  { ...admin, name: 'web.backend_app_sheet', input: z.object({ name }) },
  ({ ctx, input }) => ctx.get(AppSheets).shown(ctx, input.name),
);

/** Starts a rehearsal of an action on a copy of the site; `rehearsal` returns its progress and report. */
const rehearse = route.rpc(
  '/web/backend/apps/rehearse',
  {
    ...admin,
    name: 'web.backend_app_rehearse',
    writes: true,
    input: z.object({ name, action }),
    // Another process rehearses, and stores its progress in transactions of its own.
    prepare: ({ ctx, input }) => beginRehearsal(ctx, input.action, input.name),
  },
  ({ prepared: id }) => ({ id }),
);

/** Returns the latest rehearsal of an action, or null. */
const rehearsal = route.rpc(
  '/web/backend/apps/rehearsal',
  { ...admin, name: 'web.backend_app_rehearsal', input: z.object({ name, action }) },
  ({ ctx, input }) => shownRehearsal(ctx, input.action, input.name),
);

/** Stops a rehearsal. */
const stop = route.rpc(
  '/web/backend/apps/rehearsal/stop',
  {
    ...admin,
    name: 'web.backend_app_rehearsal_stop',
    writes: true,
    input: z.object({ id: z.number().int().positive() }),
    prepare: ({ ctx, input }) => stopRehearsal(ctx, input.id),
  },
  () => null,
);

/** Starts a planned action; `progress` returns its progress. */
const run = route.rpc(
  '/web/backend/apps/run',
  {
    ...admin,
    name: 'web.backend_app_run',
    writes: true,
    input: z.object({
      name,
      action,
      parties: z.string().max(4000),
      confirm: z.string().max(60).default(''),
      rehearsed: z.string().max(64).optional(),
    }),
    // The switch has its own transactions, so it starts before this one.
    prepare: async ({ ctx, input }) => {
      const start = await beginSwitch(ctx, input.name, input.action, input);
      return start.kind === 'failed' ? start : { kind: 'running' as const, after: start.after };
    },
  },
  ({ prepared }) => prepared,
);

/** Returns the progress of a switch: `running` with its step, `done`, `failed` with the report, or `unknown` if it hasn't started. */
const progress = route.rpc(
  '/web/backend/apps/progress',
  {
    ...admin,
    name: 'web.backend_app_progress',
    input: z.object({ name, after: z.number().int().min(0) }),
  },
  async ({ ctx, input }) => {
    const manager = addonManager(ctx);
    const running = await manager.running();
    const past = (await manager.history(20)).find(
      (entry) => entry.id > input.after && entry.addons.includes(input.name),
    );
    if (past?.result === 'done' && !running?.step) return { kind: 'done' as const };
    if (past?.result === 'failed') return { kind: 'failed' as const, problems: past.problems.map(problemText) };
    if (!running) return { kind: 'unknown' as const };
    return {
      kind: 'running' as const,
      note: running.note,
      step: running.step ? t(ctx, running.step.text, running.step.params) : '',
    };
  },
);

/** Retries a broken addon. */
const retry = route.rpc(
  '/web/backend/apps/retry',
  {
    ...admin,
    name: 'web.backend_app_retry',
    writes: true,
    input: z.object({ name }),
    prepare: ({ ctx, input }) => retryBroken(ctx, input.name),
  },
  ({ prepared }) => prepared,
);

/** Switches the parts of an app that are off on again. */
const switchOn = route.rpc(
  '/web/backend/apps/switch-on',
  { ...admin, name: 'web.backend_app_switch_on', writes: true, input: z.object({ name }) },
  ({ ctx, input }) => resetBreakers(ctx, input.name),
);

/** History of switches with user, time and result, latest first. */
const history = route.rpc(
  '/web/backend/apps/history',
  {
    ...admin,
    name: 'web.backend_app_history',
    input: z.object({ limit: z.number().int().min(1).max(200).default(50) }),
  },
  async ({ ctx, input }) => {
    const manager = addonManager(ctx);
    const titles = new Map((await manager.list()).map(({ name: addon, title }) => [addon, ownText(ctx, addon, title)]));
    return (await manager.history(input.limit)).map((line) => historyLine(ctx, line, titles));
  },
);

/** Returns what pages cost by app, the most expensive page first. */
const costs = route.rpc(
  '/web/backend/apps/costs',
  { ...admin, name: 'web.backend_app_costs', input: z.object({ minutes: z.number().int().min(1).max(KEPT_MINUTES) }) },
  ({ ctx, input }) => shownCosts(ctx, input.minutes),
);

export const appRpcRoutes = [
  list,
  plan,
  allow,
  sheet,
  costs,
  rehearse,
  rehearsal,
  stop,
  run,
  progress,
  retry,
  switchOn,
  history,
] as const;
