import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CartLink from '../cart-link.tsx';
import Choice from '../choice.tsx';
import Pictures from '../pictures.tsx';
import Stock from '../stock.tsx';
import { counted, euro, serve } from './kit.ts';

const value = (id: number, name: string, chosen = false) => ({ id, name, color: '#ccc', chosen, extra: null });
const about = {
  product: 1,
  attributes: [
    { id: 1, name: 'Colour', type: 'color', single: null, values: [value(10, 'Red', true), value(11, 'Blue')] },
    { id: 2, name: 'Size', type: 'select', single: null, values: [value(20, 'S', true), value(21, 'L')] },
  ],
  variants: [
    [1, [10, 20], 40, 40],
    [2, [10, 21], 45, 50],
    [3, [11, 20], 40, 40],
  ] as [number, number[], number, number][],
  name: 'Lamp',
  choice: { available: true, price: euro(40), list: euro(40), discount: false },
  taxNote: 'tax included',
  most: 9999,
};
const picture = (name: string) => ({
  src: `/${name}.png`,
  srcset: `/${name}-384.png 384w, /${name}.png 768w`,
  thumb: `/${name}-small.png`,
  large: `/${name}-large.png`,
  alt: name,
});

function show() {
  const { container } = render(
    <>
      <CartLink quantity={0} here={false} />
      <Pictures
        name="Lamp"
        pictures={[picture('front'), picture('back'), picture('blue')]}
        shown={[0, 1]}
        variants={{ 1: [0, 1], 2: [0, 1], 3: [2, 1] }}
      />
      <Choice {...about}>
        <Stock levels={{ 1: 9, 2: 3, 3: 0 }} inCart={[]} initialText="In stock" />
      </Choice>
    </>,
  );
  return {
    user: userEvent.setup(),
    variant: () => container.querySelector<HTMLInputElement>('input.product_id')?.value,
  };
}
const button = () => screen.getByRole('button', { name: 'Add to Cart' }) as HTMLButtonElement;
const mainPicture = () => document.querySelector('.product_detail_img')?.getAttribute('src');
const mainSizes = () => document.querySelector('.product_detail_img')?.getAttribute('srcset');

beforeAll(() => {
  counted();
  HTMLDialogElement.prototype.close = () => {};
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLImageElement.prototype.decode = async () => undefined;
  Element.prototype.scrollTo = () => {};
  HTMLElement.prototype.showPopover = () => {};
  globalThis.matchMedia = () => ({ matches: true }) as MediaQueryList;
});
afterEach(cleanup);

it('leads from the choice to a variant with its price, its stock and its picture', async () => {
  const { user, variant } = show();
  expect(variant()).toBe('1');
  expect(screen.getByText('In stock')).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Size'), 'L');
  expect(variant()).toBe('2');
  expect(screen.getByText('45.00')).toBeDefined();
  expect(screen.getByText('50.00').closest('del')?.hidden).toBe(false);
  expect(screen.getByText('Only 3 left')).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Size'), 'S');
  await user.click(screen.getByLabelText('Blue'));
  expect(variant()).toBe('3');
  expect([mainPicture(), mainSizes()]).toEqual(['/blue.png', '/blue-384.png 384w, /blue.png 768w']);
  expect(screen.getByText('Colour').textContent).toBe('Colour: Blue');
  expect(screen.getByText('Sold out').className).toContain('is-out');
  expect(button().disabled).toBe(true);
});

it('marks what does not go together, and is not for sale then', async () => {
  const { user, variant } = show();
  await user.selectOptions(screen.getByLabelText('Size'), 'L');
  expect(screen.getByTitle('Blue').className).toContain('css_not_available');
  expect(screen.getByTitle('Red').className).not.toContain('css_not_available');
  await user.click(screen.getByLabelText('Blue'));
  expect(variant()).toBe('0');
  expect(screen.getByText('Product not available').hidden).toBe(false);
  expect([
    button().disabled,
    (screen.getByLabelText('Quantity', { selector: 'input' }) as HTMLInputElement).disabled,
  ]).toEqual([true, true]);
  // The price stays.
  expect(screen.getByText('45.00')).toBeDefined();
});

it('asks for the prices of another quantity, and keeps it within bounds', async () => {
  const made = serve({ '/shop/get_unit_price': () => ({ 1: 35, 2: 40, 3: 35 }) });
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'Increase quantity' }));
  await screen.findByText('35.00');
  expect(made).toEqual([{ path: '/shop/get_unit_price', sent: { product_ids: [1, 2, 3], add_qty: 2 } }]);
  const quantity = screen.getByLabelText('Quantity', { selector: 'input' }) as HTMLInputElement;
  await user.clear(quantity);
  await user.tab();
  expect(quantity.value).toBe('1');
});

it('small pictures and arrow keys push the row along, and each picture opens larger still, where arrow keys go on', async () => {
  const { user } = show();
  const current = () => document.querySelector('[data-thumb][aria-current] img')?.getAttribute('alt');
  await user.click(screen.getByRole('link', { name: 'back' }));
  expect(current()).toBe('back');
  screen.getAllByRole('button', { name: /Enlarge image/ })[1]?.focus();
  await user.keyboard('{ArrowRight}');
  expect(current()).toBe('front');
  await user.click(screen.getByRole('button', { name: /back Enlarge image/ }));
  const large = () => document.querySelector('dialog img')?.getAttribute('src');
  await waitFor(() => expect(large()).toBe('/back-large.png'));
  screen.getByLabelText('Close').focus();
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(large()).toBe('/front-large.png'));
  await user.click(screen.getByRole('button', { name: 'Previous image' }));
  expect(large()).toBe('/back-large.png');
});

it('puts it in the cart where one is: the header counts, and shows what is in it', async () => {
  const made = serve({
    '/shop/cart/update_json': ({ add_qty }) => ({ quantity: add_qty, cart_quantity: add_qty }),
    '/shop/cart/lines': () => ({
      lines: [{ id: 1, name: 'Lamp (Red, S)', url: null, image: null, quantity: 2, amount: euro(80) }],
      total: euro(80),
    }),
  });
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'Increase quantity' }));
  await user.click(button());
  await screen.findByText('Lamp (Red, S)');
  expect(made.filter(({ path }) => path.startsWith('/shop/cart'))).toEqual([
    { path: '/shop/cart/update_json', sent: { product_id: 1, add_qty: 2 } },
    { path: '/shop/cart/lines', sent: {} },
  ]);
  expect(document.querySelector('.my_cart_quantity')?.textContent).toBe('2');
  expect(screen.getByRole('dialog', { name: '“Lamp” is in your cart' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'View cart' }).getAttribute('href')).toBe('/shop/cart');
  expect(screen.getByRole('link', { name: 'Check out' }).getAttribute('href')).toBe('/shop/checkout');
});

it('says when there are fewer, and opens nothing where none was put in', async () => {
  serve({ '/shop/cart/update_json': () => ({ quantity: 0, cart_quantity: 0, warning: 'Sold out' }) });
  const { user } = show();
  await user.click(button());
  await screen.findByText('Sold out');
  expect(screen.queryByRole('link', { name: 'View cart' })).toBeNull();
});

it('counts what was looked at and what went into the cart', async () => {
  const told = counted();
  const { user } = show();
  await waitFor(() => expect(told).toEqual(['product_view/1']));
  serve({ '/shop/cart/update_json': () => null });
  await user.click(button());
  expect(told.at(-1)).toBe('product_add_to_cart/1');
});
