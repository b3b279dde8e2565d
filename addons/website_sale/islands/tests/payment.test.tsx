import { jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { on } from '#core/browser';
import Hold from '../hold.tsx';
import Payment from '../payment.tsx';
import Status from '../status.tsx';
import { counted, Refusal, serve } from './kit.ts';

const acquirer = (id: number, name: string, chosen = false) => ({
  id,
  name,
  counted: name,
  test: false,
  message: `<em>By ${name}</em>`,
  keeping: '',
  logo: '/logo.svg',
  chosen,
});
const start = () => {
  render(<Payment acquirers={[acquirer(1, 'Card', true), acquirer(2, 'Transfer')]} attempt="k1" />);
  return userEvent.setup();
};
const isHidden = (id: number) =>
  document.querySelector(`.oe_sale_acquirer_button[data-id="${id}"]`)?.hasAttribute('data-hidden');

let told: string[];
beforeEach(() => {
  told = counted();
});
afterEach(cleanup);

describe('The ways to pay', () => {
  it('shows the button of the chosen one, makes the transaction and sends the form of the provider', async () => {
    const made = serve({
      '/shop/payment/transaction/2': () => '<form method="post" action="/pay"><button>Pay</button></form>',
    });
    const user = start();
    await user.click(screen.getByLabelText('Transfer'));
    expect([isHidden(1), isHidden(2)]).toEqual([true, false]);
    const sent: string[] = [];
    window.addEventListener('submit', (event) => {
      if (!event.defaultPrevented) sent.push((event.target as HTMLFormElement).getAttribute('action') ?? '');
      event.preventDefault();
    });
    await user.click(screen.getByRole('button', { name: 'Pay Now: Transfer' }));
    await waitFor(() => expect(sent).toEqual(['/pay']));
    expect(made).toEqual([{ path: '/shop/payment/transaction/2', sent: { key: 'k1' } }]);
    expect(told).toEqual(['order_payment/Transfer']);
  });

  it('says why a payment could not begin, and can be tried again', async () => {
    serve({
      '/shop/payment/transaction/1': () => {
        throw new Refusal(200, 'Something in your cart has changed.');
      },
    });
    const user = start();
    const button = screen.getByRole('button', { name: 'Pay Now: Card' });
    await user.click(button);
    expect((await screen.findByRole('alert')).textContent).toBe('Something in your cart has changed.');
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
  });
});

describe('The status of a payment', () => {
  const routes = (...states: string[]) =>
    serve({
      '/shop/payment/get_status/5': () => {
        const state = states.length > 1 ? states.shift() : states[0];
        return { state, validation: 'automatic', message: `<p>It is ${state}</p>` };
      },
      '/shop/tracking_last_order/': () => ({ transaction: 1 }),
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
  expect(screen.getByRole('status').textContent).toContain('not kept for you any more');
  jest.useRealTimers();
});
