import { type Ctx, type Reply, redirect, route, z } from 'pergola';
import type { RenderPage } from 'pergola/http';
import { addonManager, listBreakers } from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { planWithSheets } from '../services/app-sheets.ts';
import { type Outcome, runSwitch } from '../services/app-switch.ts';
import { type AppAction, appActions, cardsByCategory, problemText } from '../services/apps.ts';
import { t } from '../texts.ts';
import { backendScreen, shellOf } from './backend.ts';

const admin = { auth: 'user', groups: ['base.group_system'], cache: false, multilang: false } as const;
const params = { name: z.string().regex(/^[a-z][a-z0-9_]{0,40}$/), action: z.enum(appActions) };
/** Time after which a switch that hasn't started is given up. */
const START_TIMEOUT_MS = 20_000;

const appsPage = route.page(
  '/web/apps',
  {
    ...admin,
    name: 'web.apps',
    query: z.object({
      q: z.string().max(80).default(''),
      done: z.enum(appActions).optional(),
      app: z.string().max(60).optional(),
    }),
  },
  async ({ ctx, query, render }) => {
    const addons = await addonManager(ctx).list();
    const running = await addonManager(ctx).running();
    const switched = addons.find(({ name }) => name === query.app);
    const title = switched ? ownText(ctx, switched.name, switched.title) : '';
    return render('web.apps', {
      ...(await shellOf(ctx)),
      search: query.q,
      groups: cardsByCategory(ctx, addons, await listBreakers(ctx), query.q),
      done: query.done && title ? successText(ctx, query.done, title) : '',
      running: running?.note ?? '',
    });
  },
);

function successText(ctx: Ctx, action: AppAction, title: string): string {
  if (action === 'enable') return t(ctx, '{title} is enabled.', { title });
  if (action === 'disable') return t(ctx, '{title} is disabled. Its data is kept.', { title });
  if (action === 'upgrade') return t(ctx, '{title} is up to date.', { title });
  return t(ctx, '{title} is uninstalled. Its data was archived first.', { title });
}

async function planPage(
  ctx: Ctx,
  render: RenderPage,
  page: { name: string; action: AppAction; message?: string; errors?: object },
): Promise<Reply> {
  const { name, action, message, errors = {} } = page;
  const plan = await planWithSheets(ctx, action, name);
  const pageData = { name, action, plan };
  return render('web.app_plan', { ...(await shellOf(ctx)), ...pageData, given: pageData, message, errors });
}

/** @param digests of the code that the administrator allows to run, separated by commas */
async function allowCode(ctx: Ctx, name: string, action: AppAction, digests: string): Promise<Outcome> {
  await planWithSheets(ctx, action, name, digests.split(','));
  return { kind: 'review' };
}

const confirmPage = route.page(
  '/web/apps/:name/:action',
  { ...admin, name: 'web.app_plan', params },
  ({ ctx, params: page, render }) => planPage(ctx, render, page),
);

const doIt = route.form(
  '/web/apps/:name/:action',
  {
    auth: 'user',
    groups: ['base.group_system'],
    multilang: false,
    name: 'web.app_switch',
    writes: true,
    params,
    body: z.object({
      parties: z.string().max(4000),
      confirm: z.string().max(60).default(''),
      allowed: z.string().max(4000).default(''),
    }),
    // The switch has its own transactions, so it ends (or at least starts) before this one.
    prepare: ({ ctx, params: { name, action }, body }): Promise<Outcome> =>
      body.allowed === '' ? runSwitch(ctx, name, action, body) : allowCode(ctx, name, action, body.allowed),
    invalid: ({ ctx, params: { name, action }, render, errors, message }) =>
      planPage(ctx, render, { name, action, errors, message }),
  },
  ({ params: { name, action }, prepared: outcome, render }) => {
    switch (outcome.kind) {
      case 'review':
        return redirect(`/web/apps/${name}/${action}`);
      case 'done':
        return redirect(`/web/apps?done=${action}&app=${name}`);
      case 'running':
        return redirect(`/web/apps/progress?app=${name}&action=${action}&after=${outcome.after}&at=${Date.now()}`);
      default:
        return render('web.app_failed', { name, action, problems: outcome.problems }, { status: 409 });
    }
  },
);

const progressPage = route.page(
  '/web/apps/progress',
  {
    ...admin,
    name: 'web.app_progress',
    query: z.object({
      app: z.string().max(60),
      action: z.enum(appActions),
      after: z.coerce.number().int().default(0),
      at: z.coerce.number().int().default(0),
    }),
  },
  async ({ ctx, query: { app, action, after: afterId, at: startedAt }, request, render }) => {
    const manager = addonManager(ctx);
    const running = await manager.running();
    const past = (await manager.history(20)).find((entry) => entry.id > afterId && entry.addons.includes(app));
    if (!running && past?.result === 'done') return redirect(`/web/apps?done=${action}&app=${app}`);
    if (!running && past) {
      return render('web.app_failed', { name: app, action, problems: past.problems.map(problemText) }, { status: 409 });
    }
    if (!running && Date.now() - startedAt > START_TIMEOUT_MS) return redirect('/web/apps');
    request.setHeader('refresh', '2');
    return render('web.app_progress', {
      note: running?.note ?? `${action} ${app}`,
      step: running?.step ? t(ctx, running.step.text, running.step.params) : '',
    });
  },
);

/** Rendered by the backend's screens alone. */
const historyPage = route.page('/web/apps/history', { ...admin, name: 'web.apps_history' }, ({ ctx, render, url }) =>
  backendScreen(ctx, render, url),
);

/** Rendered by the backend's screens alone. */
const costsPage = route.page('/web/apps/costs', { ...admin, name: 'web.apps_costs' }, ({ ctx, render, url }) =>
  backendScreen(ctx, render, url),
);

/** Rendered by the backend's screens alone. */
const sheetPage = route.page(
  '/web/apps/:name/sheet',
  { ...admin, name: 'web.app_sheet', params: { name: params.name } },
  ({ ctx, render, url }) => backendScreen(ctx, render, url),
);

/** Rendered by the backend's screens alone. */
const rehearsalPage = route.page(
  '/web/apps/:name/:action/rehearsal',
  { ...admin, name: 'web.app_rehearsal', params },
  ({ ctx, render, url }) => backendScreen(ctx, render, url),
);

export const appRoutes = [appsPage, progressPage, historyPage, costsPage, sheetPage, confirmPage, rehearsalPage, doIt];
