import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Cart from '../cart.tsx';
import CartLink from '../cart-link.tsx';
import { counted, euro, Refusal, serve } from './kit.ts';

const line = {
  id: 7,
  product: 3,
  name: 'Apron',
  details: null,
  url: '/shop/product/apron-1',
  image: null,
  isTicket: false,
  quantity: 2,
  most: 9999,
  unitPrice: euro(10),
  list: euro(10),
  discount: false,
  amount: euro(20),
  problem: null,
};
const promo = { typed: '', error: '', message: '', code: null, list: '' };

/** A cart of aprons for 10 € each, of which there are 8; 9 € from five on. */
function shop() {
  return serve({
    '/shop/cart/update_json': ({ line_id, set_qty }) => {
      const quantity = Math.min(8, Number(set_qty));
      return {
        line_id,
        quantity,
        cart_quantity: quantity,
        lines: { 7: quantity * 10 },
        'website_sale.total': `<p id="cart_total">Sum ${quantity * 10}</p>`,
        ...(quantity < Number(set_qty) ? { warning: 'Only 8 left' } : {}),
      };
    },
    '/shop/get_unit_price': ({ add_qty }) => ({ 3: Number(add_qty) >= 5 ? 9 : 10 }),
  });
}
function show(about: Partial<Parameters<typeof Cart>[0]> = {}) {
  render(
    <>
      <CartLink quantity={2} here />
      <Cart lines={[line]} frozen={false} guest={false} promo={promo} {...about}>
        <p>Sum as it was</p>
      </Cart>
    </>,
  );
  return userEvent.setup();
}
const field = () => screen.getByLabelText('Quantity: Apron') as HTMLInputElement;
const updates = (made: ReturnType<typeof serve>) =>
  made.filter(({ path }) => path.endsWith('update_json')).map(({ sent }) => sent.set_qty);

beforeAll(() => {
  globalThis.matchMedia = () => ({ matches: true }) as MediaQueryList;
});
afterEach(() => {
  cleanup();
  document.querySelector('.toasts')?.remove();
});

it('changes a quantity where it stands: the line, the sums and the header follow', async () => {
  const made = shop();
  const user = show();
  expect(screen.getByText('Sum as it was')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Increase quantity: Apron' }));
  await screen.findByText('Sum 30');
  // It is read out.
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Sum 30');
  expect(made[0]).toEqual({ path: '/shop/cart/update_json', sent: { line_id: 7, product_id: 3, set_qty: 3 } });
  expect(field().value).toBe('3');
  expect(screen.getByText('30.00')).toBeDefined();
  expect(screen.getByText('My Cart').closest('a')?.querySelector('.my_cart_quantity')?.textContent).toBe('3');
});

it('sends one change at a time, and of those made meanwhile only the last', async () => {
  const made = shop();
  const user = show();
  const more = screen.getByRole('button', { name: 'Increase quantity: Apron' });
  for (let press = 0; press < 4; press += 1) await user.click(more);
  await screen.findByText('Sum 60');
  expect(updates(made).length).toBeLessThanOrEqual(4);
  expect(updates(made).at(-1)).toBe(6);
});

it('tells what was typed once nothing is typed any more, or the field is left', async () => {
  const made = shop();
  const user = show();
  await user.clear(field());
  await user.type(field(), '5');
  expect(made).toEqual([]);
  await user.tab();
  await screen.findByText('Sum 50');
  expect(updates(made)).toEqual([5]);
  // Five and more cost less, and what they cost else is struck through.
  await screen.findByText('9.00');
  expect(screen.getAllByText('10.00')[0]?.closest('del')?.hidden).toBe(false);
});

it('keeps a quantity that is no whole number, says so, and sends it once it is corrected', async () => {
  const made = shop();
  const user = show();
  await user.clear(field());
  await user.type(field(), '2.9{Enter}');
  expect(await screen.findByText('Enter a whole number.')).toBeDefined();
  expect([field().value, field().ariaInvalid, updates(made)]).toEqual(['2.9', 'true', []]);
  await user.clear(field());
  await user.type(field(), '٣{Enter}');
  await screen.findByText('Sum 30');
  expect(updates(made)).toEqual([3]);
});

it('says when there is less than that, and takes what there is', async () => {
  shop();
  const user = show();
  await user.clear(field());
  await user.type(field(), '12{Enter}');
  await screen.findByText('Only 8 left');
  await waitFor(() => expect(field().value).toBe('8'));
});

it('is as it was before when it is refused', async () => {
  serve({
    '/shop/cart/update_json': () => {
      throw new Refusal(200, 'The cart is being paid.');
    },
  });
  const user = show();
  await user.click(screen.getByRole('button', { name: 'Increase quantity: Apron' }));
  await screen.findByText('The cart is being paid.');
  await waitFor(() => expect(field().value).toBe('2'));
});

it('tells what was typed before it goes to the checkout', async () => {
  const made = shop();
  const user = show();
  await user.clear(field());
  await user.type(field(), '4');
  const checkout = screen.getByText('Process Checkout');
  let wasStopped = false;
  window.addEventListener('click', (event) => {
    wasStopped = event.defaultPrevented;
    event.preventDefault();
  });
  await user.click(checkout);
  await waitFor(() => expect(updates(made)).toEqual([4]));
  expect(wasStopped).toBe(true);
});

it('says what became of a promo code, and offers guests to sign in', async () => {
  shop();
  const told = counted();
  const user = show({ guest: true, promo: { ...promo, typed: 'SPRING', error: 'This promo code isn’t valid.' } });
  expect((screen.getByLabelText('I have a promo code') as HTMLInputElement).value).toBe('SPRING');
  expect(screen.getByRole('alert').textContent).toBe('This promo code isn’t valid.');
  await act(() => user.click(screen.getByText('Sign in')));
  expect(told).toEqual(['customer_signin']);
});

it('stays as it is while it is being paid', () => {
  show({ frozen: true });
  expect(screen.queryByText('Process Checkout')).toBeNull();
  expect(screen.getByText('Return to payment')).toBeDefined();
});

it('writes amounts as the language of the page does', () => {
  document.documentElement.lang = 'fr-FR';
  show();
  expect(screen.getByText('20,00')).toBeDefined();
  document.documentElement.lang = '';
});
