import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { on } from 'pergola/browser';
import Hold from '../hold.tsx';
import Status from '../status.tsx';
import { counted, serve } from './kit.ts';

let told: string[];
beforeEach(() => {
  told = counted();
});
afterEach(cleanup);

describe('The status of a payment', () => {
  const routes = (...states: string[]) =>
    serve({
      '/shop/payment/get_status/5': () => {
        const state = states.length > 1 ? states.shift() : states[0];
        return { state, validation: 'automatic', message: `<p>It is ${state}</p>` };
      },
      '/shop/tracking_last_order': () => ({ transaction: 1 }),
    });
  const show = () =>
    render(
      <Status order={5} state="pending" validation="automatic" look="info">
        <p>As it was</p>
      </Status>,
    );
  const asked = (made: ReturnType<typeof serve>) => made.filter(({ path }) => path.includes('get_status')).length;
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is asked for each second until it is paid, and tells other parts', async () => {
    const made = routes('pending', 'pending', 'done');
    let paid = 0;
    on('website_sale.paid', () => {
      paid += 1;
    });
    const { container } = show();
    expect(screen.getByText('As it was')).toBeDefined();
    for (let second = 0; second < 3; second += 1) await act(() => jest.advanceTimersByTimeAsync(1000));
    expect(screen.getByText('It is done')).toBeDefined();
    expect(container.firstElementChild?.className).toContain('alert-success');
    expect([asked(made), paid, told]).toEqual([3, 1, ['order_confirmed/5']]);
  });

  it('is asked for five more times at most', async () => {
    const made = routes('pending');
    show();
    await act(() => jest.advanceTimersByTimeAsync(20_000));
    expect(asked(made)).toBe(6);
  });
});

it('A hold is counted down; its end is said', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z') });
  render(<Hold until={{ text: '10:02', machine: '2026-11-21T10:01:05Z' }} />);
  await act(() => jest.advanceTimersByTimeAsync(0));
  expect(screen.getByText('· 1:05')).toBeDefined();
  await act(() => jest.advanceTimersByTimeAsync(66_000));
  expect(screen.getByRole('status').textContent).toContain('no longer reserved');
  jest.useRealTimers();
});
