import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { emit } from '#core/browser';
import OrderParts from '../order-parts.tsx';
import SignIn from '../sign-in.tsx';
import { counted } from './kit.ts';

afterEach(cleanup);

describe('What other addons show of an order', () => {
  const paid = async (answer: () => Promise<Partial<Response>>): Promise<string[]> => {
    const asked: string[] = [];
    globalThis.fetch = (async (address: string) => {
      asked.push(address);
      return answer();
    }) as unknown as typeof fetch;
    render(
      <OrderParts>
        <p>No tickets yet</p>
      </OrderParts>,
    );
    expect(asked).toEqual([]);
    act(() => emit('website_sale.paid'));
    await waitFor(() => expect(asked).toEqual([location.href]));
    return asked;
  };

  it('is there once the money has come', async () => {
    const page = '<h1>Thanks</h1><div data-slot="order-after-lines"><a href="/t">Two tickets</a></div>';
    await paid(async () => ({ ok: true, text: async () => page }));
    expect((await screen.findByRole('link', { name: 'Two tickets' })).getAttribute('href')).toBe('/t');
    expect(screen.queryByText('No tickets yet')).toBeNull();
    expect(screen.queryByText('Thanks')).toBeNull();
  });

  it.each([
    ['the page cannot be had', async () => ({ ok: false })],
    ['there is no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['it is another page by now', async () => ({ ok: true, text: async () => '<h1>Sign in</h1>' })],
  ])('stays as it is where %s', async (_why, answer) => {
    await paid(answer);
    await act(async () => undefined);
    expect(screen.getByText('No tickets yet')).toBeDefined();
  });
});

it('Guests at the checkout find the way to their account, and back', async () => {
  const told = counted();
  render(<SignIn />);
  const link = screen.getByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('/web/login?redirect=%2Fshop%2Fcheckout');
  expect(link.parentElement?.textContent).toBe('Already a customer? Sign in, and your address is filled in.');
  link.addEventListener('click', (event) => event.preventDefault());
  await userEvent.click(link);
  expect(told).toEqual(['customer_signin']);
});
