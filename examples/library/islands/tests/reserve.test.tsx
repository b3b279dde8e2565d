import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Reserve from '../reserve.tsx';

afterEach(cleanup);

it('keeps a copy and gives it up', async () => {
  const requestedPaths: string[] = [];
  // Mocks the server.
  globalThis.fetch = async (path) => {
    requestedPaths.push(String(path));
    const reserved = String(path).includes('/reserve');
    const result = { free: reserved ? 0 : 1, reserved };
    return { ok: true, status: 200, json: async () => ({ location: '/library/7', result }) } as Response;
  };
  render(<Reserve book={7} free={1} reserved={false} signedIn />);
  screen.getByText('Free copies: 1');
  await userEvent.click(screen.getByRole('button', { name: 'Reserve' }));
  await screen.findByText('A copy is kept for you.');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the reservation' }));
  await screen.findByText('Free copies: 1');
  expect(requestedPaths.map((path) => path.replace(/\/form$/, ''))).toEqual([
    '/library/7/reserve',
    '/library/7/cancel',
  ]);
});

it('offers visitors to sign in, and nobody what is not there', () => {
  render(<Reserve book={7} free={1} reserved={false} signedIn={false} />);
  expect(screen.getByRole('link', { name: 'Sign in to reserve' }).getAttribute('href')).toBe('/web/login');
  cleanup();
  render(<Reserve book={7} free={0} reserved={false} signedIn />);
  expect(screen.queryByRole('button')).toBeNull();
});
