import { route, z } from 'pergola';
import { backendScreen } from './backend.ts';

const screen = { auth: 'user', cache: false, multilang: false, groups: ['base.group_erp_manager'] } as const;

/** Screens for administrators. Each loads its data through calls with their own permission checks. */
const settingsPage = route.page('/web/settings', { ...screen, name: 'web.settings' }, ({ ctx, render, url }) =>
  backendScreen(ctx, render, url),
);

const settingsPages = route.page(
  '/web/settings/*',
  { ...screen, name: 'web.settings_screens', params: { '*': z.string().max(100) } },
  ({ ctx, render, url }) => backendScreen(ctx, render, url),
);

export const settingsRoutes = [settingsPage, settingsPages];
