import { type Ctx, InvalidInput, NotFound, type Reply, redirect, route, z } from 'pergola';
import type { RenderPage } from 'pergola/http';
import { addonManager } from 'pergola/kernel';
import type { Start } from '../backend/types.ts';
import { menus as menuPoint } from '../points/menus.ts';
import { countIcons, views } from '../points/views.ts';
import { widgets } from '../points/widgets.ts';
import { mayUseModel } from '../services/admin/access.ts';
import { dashboardFor } from '../services/backend/dashboard.ts';
import { describeModel } from '../services/backend/describe-model.ts';
import { iconNames } from '../services/backend/icons.ts';
import { modelInfo } from '../services/backend/model-info.ts';
import { startOf } from '../services/backend/start.ts';
import { callModel } from '../services/rpc/call.ts';

const screen = { auth: 'user', cache: false, multilang: false } as const;

/** Returns the page that hosts all backend screens. Customers, who have no backend, are redirected to their account. */
export async function backendScreen(ctx: Ctx, render: RenderPage, url: (path: string) => string): Promise<Reply> {
  if (!ctx.has('base.group_user')) return redirect(url('/web/account'), 302);
  return render('web.backend', await shellOf(ctx));
}

/** Returns the data of the page around every screen. */
export async function shellOf(ctx: Ctx): Promise<{ readonly start: Start; readonly icons: readonly string[] }> {
  const start = await startOf(ctx);
  // Administrators can open Apps from anywhere.
  const apps = start.user.isAdmin && !ctx.writes ? await addonManager(ctx).list() : [];
  return {
    start,
    icons: iconNames(start, [
      ...apps.flatMap(({ icon }) => icon ?? []),
      ...ctx.get(widgets).map(({ icon }) => icon),
      ...countIcons(ctx.get(views)),
    ]),
  };
}

/** Start page of employees. */
const backendPage = route.page('/web', { ...screen, name: 'web.home' }, ({ ctx, render, url }) =>
  backendScreen(ctx, render, url),
);

const recordsPage = route.page(
  '/web/m/*',
  { ...screen, name: 'web.records', params: { '*': z.string().max(500) } },
  ({ ctx, render, url }) => backendScreen(ctx, render, url),
);

const start = route.rpc('/web/backend/start', { name: 'web.backend_start', auth: 'user' }, ({ ctx }) => startOf(ctx));

const model = route.rpc(
  '/web/backend/model',
  { name: 'web.backend_model', auth: 'user', input: z.object({ model: z.string().min(1).max(64) }) },
  ({ ctx, input }) => {
    const info = modelInfo(ctx, input.model);
    if (!info)
      throw new NotFound('Unknown model “{model}”.', { code: 'core.no_model', params: { model: input.model } });
    return info;
  },
);

const dashboard = route.rpc(
  '/web/backend/dashboard',
  { name: 'web.backend_dashboard', auth: 'user', groups: ['base.group_user'] },
  ({ ctx }) => dashboardFor(ctx),
);

const FOUND_PER_MODEL = 5;
/** Maximum number of searched models; more would make the results confusing. */
const MAX_MODELS = 10;

/** Searches records by name across the models in the user's menus, for the command palette. */
const search = route.rpc(
  '/web/backend/search',
  {
    name: 'web.backend_search',
    auth: 'user',
    input: z.object({ text: z.string().trim().min(1).max(100) }),
    rate: { calls: 120, seconds: 60, by: 'user' },
  },
  async ({ ctx, input: { text } }) => {
    const models = searchedModels(ctx);
    const matches: { model: string; label: string; records: readonly (readonly [id: number, name: string])[] }[] = [];
    for (const name of models) {
      const kwargs = { name: text, limit: FOUND_PER_MODEL };
      const records = await callModel(ctx, { model: name, method: 'name_search', args: [], kwargs }).catch(
        unlessNameless,
      );
      if (Array.isArray(records) && records.length > 0)
        matches.push({ model: name, label: describeModel(ctx, name)?.label ?? name, records });
      if (matches.length === MAX_MODELS) break;
    }
    return matches;
  },
);

/** Models whose names come from nameless records can't be searched and yield no results. */
function unlessNameless(error: unknown): readonly never[] {
  if (error instanceof InvalidInput && error.code === 'core.bad_domain') return [];
  throw error;
}

/** Returns the models in the user's menus in search order: the first entry of each app, then the second, and so on. */
function searchedModels(ctx: Ctx): readonly string[] {
  const menus = ctx.get(menuPoint);
  const parents = new Map(menus.map(({ id, parent }) => [id, parent]));
  const appOf = (id: string): string => {
    const parent = parents.get(id);
    return parent ? appOf(parent) : id;
  };
  const apps = Map.groupBy(
    menus.filter(({ model: name }) => name && mayUseModel(ctx, name, 'read')),
    ({ id }) => appOf(id),
  );
  const ranked = [...apps.values()].flatMap((entries) => entries.map(({ model: name }, rank) => ({ name, rank })));
  return [...new Set(ranked.toSorted((a, b) => a.rank - b.rank).flatMap(({ name }) => name ?? []))];
}

export const backendRoutes = [backendPage, recordsPage, start, model, dashboard, search] as const;
