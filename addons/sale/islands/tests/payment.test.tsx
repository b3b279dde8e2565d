import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Payment from '../payment.tsx';

const acquirer = (id: number, name: string, chosen = false) => ({
  id,
  name,
  told: `/stats/ecom/order_payment/${name}`,
  test: false,
  message: `<em>By ${name}</em>`,
  keeping: '',
  logo: '/logo.svg',
  chosen,
});
const start = () => {
  render(
    <Payment
      acquirers={[acquirer(1, 'Card', true), acquirer(2, 'Transfer')]}
      attempt="k1"
      action="/payment/order/5/secret/transaction"
      amount={6000}
      version="v1"
      back="/quote/5/secret"
    />,
  );
  return userEvent.setup();
};
const isHidden = (id: number) =>
  document.querySelector(`.oe_sale_acquirer_button[data-id="${id}"]`)?.hasAttribute('data-hidden');

/** Answers calls by path, and keeps what was sent. */
function serve(routes: Readonly<Record<string, () => unknown>>) {
  const made: { readonly path: string; readonly sent: unknown }[] = [];
  globalThis.fetch = (async (path: string, { body }: RequestInit = {}) => {
    made.push({
      path,
      sent: JSON.parse(String(body ?? '{}'), (key, value) => (key === 'context' ? undefined : value)).params,
    });
    try {
      const result = routes[path]?.();
      return { ok: true, json: async () => ({ result }) };
    } catch (error) {
      const { message, code } = error as Error & { readonly code?: string };
      const data = { message, arguments: ['', message], code };
      return { ok: true, json: async () => ({ error: { code: 200, message, data } }) };
    }
  }) as unknown as typeof fetch;
  return made;
}

let told: string[];
beforeEach(() => {
  told = [];
  navigator.sendBeacon = (path) => told.push(String(path)) > 0;
});
afterEach(cleanup);

describe('The ways to pay', () => {
  it('shows the button of the chosen one, makes the transaction and sends the form of the provider', async () => {
    const made = serve({
      '/payment/order/5/secret/transaction/2': () => '<form method="post" action="/pay"><button>Pay</button></form>',
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
    expect(made).toEqual([
      { path: '/payment/order/5/secret/transaction/2', sent: { key: 'k1', amount: 6000, version: 'v1' } },
    ]);
    expect(told).toEqual(['/stats/ecom/order_payment/Transfer']);
  });

  it('sends the plain form when the order has changed, which answers with what has changed', async () => {
    serve({
      '/payment/order/5/secret/transaction/1': () => {
        throw Object.assign(new Error('Your order has changed.'), { code: 'sale.order_changed' });
      },
    });
    const sent: (string | null)[][] = [];
    HTMLFormElement.prototype.submit = function submit(this: HTMLFormElement) {
      sent.push([this.getAttribute('action'), String(new FormData(this).get('version'))]);
    };
    const user = start();
    await user.click(screen.getByRole('button', { name: 'Pay Now: Card' }));
    await waitFor(() => expect(sent).toEqual([['/payment/order/5/secret/transaction/1/form', 'v1']]));
  });

  it('says why a payment could not begin, and can be tried again', async () => {
    serve({
      '/payment/order/5/secret/transaction/1': () => {
        throw new Error('Something in your cart has changed.');
      },
    });
    const user = start();
    const button = screen.getByRole('button', { name: 'Pay Now: Card' });
    await user.click(button);
    expect((await screen.findByRole('alert')).textContent).toBe('Something in your cart has changed.');
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
  });
});
