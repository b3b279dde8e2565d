import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense } from 'react';
import { fillGaps, serve, start } from '../../form/tests/kit.tsx';
import { createQueryClient } from '../../lib/queries.ts';
import { StartProvider } from '../../lib/start.tsx';
import { TroubleProvider } from '../../lib/trouble.tsx';

beforeAll(fillGaps);
afterEach(cleanup);

it('keeps a port that was typed when another encryption is chosen, and changes a usual one', async () => {
  serve({
    'mail-server': () => ({
      source: 'none',
      host: '',
      port: 587,
      security: 'starttls',
      user: '',
      from: '',
      hasPassword: false,
      sender: 'a@example.org',
    }),
  });
  const { createMemoryRouter, RouterProvider } = await import('react-router');
  const { MailServerScreen } = await import('../mail-server-screen.tsx');
  const router = createMemoryRouter([
    {
      path: '*',
      element: (
        <Suspense fallback="…">
          <MailServerScreen />
        </Suspense>
      ),
    },
  ]);
  render(
    <StartProvider start={start}>
      <QueryClientProvider client={createQueryClient()}>
        <TroubleProvider>
          <RouterProvider router={router} />
        </TroubleProvider>
      </QueryClientProvider>
    </StartProvider>,
  );
  const user = userEvent.setup();
  const port = async () => ((await screen.findByLabelText('Port')) as HTMLInputElement).value;
  const encryption = await screen.findByLabelText('Encryption');
  await user.selectOptions(encryption, 'tls');
  expect(await port()).toBe('465');
  await user.clear(screen.getByLabelText('Port'));
  await user.type(screen.getByLabelText('Port'), '2525');
  await user.selectOptions(encryption, 'none');
  expect(await port()).toBe('2525');
});
