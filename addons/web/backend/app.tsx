import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, useMemo } from 'react';
import { createBrowserRouter, RouterProvider, redirect, useRouteError } from 'react-router';
import { useWindowEvent } from '../kit/use-window-event.ts';
import { RecordDialogProvider } from './fields/making.tsx';
import { addressOfHash } from './lib/addresses.ts';
import { createQueryClient } from './lib/queries.ts';
import { StartProvider } from './lib/start.tsx';
import { BrokenScreen, TroubleProvider } from './lib/trouble.tsx';
import { Shell } from './shell/shell.tsx';
import type { Start } from './types.ts';

/** The full record form, loaded when a field first opens it. */
const RecordDialog = lazy(async () => ({ default: (await import('./form/record-dialog.tsx')).RecordDialog }));

/** The backend application. Each screen is a separate chunk, loaded when it is first opened. */
export function BackendApp({ start }: { start: Start }) {
  const client = useMemo(createQueryClient, []);
  const router = useMemo(createRouter, []);
  // Opening a backend link while the backend is already running only changes the hash; the page doesn't reload.
  useWindowEvent('hashchange', () => {
    const target = hashTarget();
    if (target) void router.navigate(target, { replace: true });
  });
  return (
    <StartProvider start={start}>
      <QueryClientProvider client={client}>
        <TroubleProvider>
          <RecordDialogProvider value={RecordDialog}>
            <RouterProvider router={router} />
          </RecordDialogProvider>
        </TroubleProvider>
      </QueryClientProvider>
    </StartProvider>
  );
}

function createRouter() {
  return createBrowserRouter([
    {
      path: '/web',
      element: <Shell />,
      errorElement: <Broken />,
      hydrateFallbackElement: <div className="backend-wait" />,
      children: [
        {
          errorElement: <Broken />,
          children: [
            {
              index: true,
              loader: () => {
                const target = hashTarget();
                return target === null ? null : redirect(target);
              },
              lazy: async () => ({ Component: (await import('./home/home-screen.tsx')).HomeScreen }),
            },
            {
              path: 'm/:model',
              lazy: async () => ({ Component: (await import('./list/records-screen.tsx')).RecordsScreen }),
            },
            {
              path: 'm/:model/import',
              lazy: async () => ({ Component: (await import('./import/import-screen.tsx')).ImportScreen }),
            },
            {
              path: 'm/:model/:id',
              lazy: async () => ({ Component: (await import('./form/form-screen.tsx')).FormScreen }),
            },
            {
              path: 'apps',
              lazy: async () => ({ Component: (await import('./apps/apps-screen.tsx')).AppsScreen }),
            },
            {
              path: 'apps/history',
              lazy: async () => ({ Component: (await import('./apps/history-screen.tsx')).HistoryScreen }),
            },
            {
              path: 'apps/costs',
              lazy: async () => ({ Component: (await import('./apps/costs-screen.tsx')).CostsScreen }),
            },
            {
              path: 'apps/:name/sheet',
              lazy: async () => ({ Component: (await import('./apps/sheet-screen.tsx')).SheetScreen }),
            },
            {
              path: 'apps/:name/:action/rehearsal',
              lazy: async () => ({ Component: (await import('./apps/rehearsal-screen.tsx')).RehearsalScreen }),
            },
            {
              path: 'apps/:name/:action',
              lazy: async () => ({ Component: (await import('./apps/plan-screen.tsx')).PlanScreen }),
            },
            {
              path: 'settings/*',
              lazy: async () => ({ Component: (await import('./settings/settings-screens.tsx')).SettingsScreens }),
            },
            { path: '*', lazy: async () => ({ Component: (await import('./shell/not-found.tsx')).NotFound }) },
          ],
        },
      ],
    },
  ]);
}

/** Returns the screen that the backend link in the hash leads to, including the way back, or null if there is no such link. */
function hashTarget(): string | null {
  const destination = addressOfHash(location.hash, document.referrer, location.origin);
  return (
    destination && `${destination.to}${destination.to.includes('?') ? '&' : '?'}${wayQuery(destination.state.trail)}`
  );
}

/** Redirects carry no history state, so the way back goes into the address, where screens read it. */
function wayQuery(trail: readonly { label: string; to: string }[]): string {
  const [back] = trail;
  return back ? new URLSearchParams({ return_label: back.label, return_to: back.to }).toString() : '';
}

function Broken() {
  return <BrokenScreen error={useRouteError()} />;
}
