import { jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { emit } from 'pergola/browser';
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
      <OrderParts polls={false}>
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

describe('An order whose payment a provider is working on', () => {
  afterEach(() => jest.useRealTimers());

  it('asks for news until there are some, and renews all its parts together', async () => {
    jest.useFakeTimers();
    let state = 'Awaiting payment';
    const asked: string[] = [];
    const place = () => `<div data-slot="order-after-lines"></div>${state === 'Paid' ? '' : '<p data-processing></p>'}`;
    globalThis.fetch = (async (address: string) => {
      asked.push(address);
      return { ok: true, text: async () => `<p data-order-part="state">${state}</p>${place()}` };
    }) as unknown as typeof fetch;
    document.body.innerHTML = '<p data-order-part="state">Awaiting payment</p>';
    render(<OrderParts polls />);
    const shown = () => document.querySelector('[data-order-part=state]')?.textContent;
    await act(() => jest.advanceTimersByTimeAsync(2_100));
    expect([asked.length, shown()]).toEqual([2, 'Awaiting payment']);
    state = 'Paid';
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect([asked.length, shown()]).toEqual([3, 'Paid']);
    await act(() => jest.advanceTimersByTimeAsync(600_000));
    expect(asked).toHaveLength(3);
  });

  it('gives up in the end, and asks nothing while it is out of sight', async () => {
    jest.useFakeTimers();
    const asked: string[] = [];
    globalThis.fetch = (async (address: string) => {
      asked.push(address);
      return { ok: true, text: async () => '<div data-slot="order-after-lines" data-processing></div>' };
    }) as unknown as typeof fetch;
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    render(<OrderParts polls />);
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(asked).toHaveLength(0);
    hidden.mockRestore();
    await act(() => jest.advanceTimersByTimeAsync(3_600_000));
    expect(asked).toHaveLength(16);
  });
});

it('Guests at the checkout find the way to their account, and back', async () => {
  const told = counted();
  render(<SignIn />);
  const link = screen.getByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('/web/login?redirect=%2Fshop%2Fcheckout');
  expect(link.parentElement?.textContent).toBe('Have an account? Sign in to use your saved address.');
  link.addEventListener('click', (event) => event.preventDefault());
  await userEvent.click(link);
  expect(told).toEqual(['customer_signin']);
});
