import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
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
  pictures: { 3: { src: '/blue.png', srcset: '/blue-384.png 384w', large: '/blue-large.png' } },
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
      <Pictures name="Lamp" pictures={[picture('front'), picture('back')]} />
      <Choice {...about}>
        <Stock levels={{ 1: 9, 2: 3, 3: 0 }} mine={[]} shown="In stock" />
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
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLImageElement.prototype.decode = async () => undefined;
  Element.prototype.scrollTo = () => {};
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
  expect([mainPicture(), mainSizes()]).toEqual(['/blue.png', '/blue-384.png 384w']);
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
  await user.click(screen.getByRole('button', { name: 'One more' }));
  await screen.findByText('35.00');
  expect(made).toEqual([{ path: '/shop/get_unit_price', sent: { product_ids: [1, 2, 3], add_qty: 2 } }]);
  const quantity = screen.getByLabelText('Quantity', { selector: 'input' }) as HTMLInputElement;
  await user.clear(quantity);
  await user.tab();
  expect(quantity.value).toBe('1');
});

it('small pictures change the large one, which opens larger still, where arrow keys go on', async () => {
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'back' }));
  expect([mainPicture(), mainSizes()]).toEqual(['/back.png', '/back-384.png 384w, /back.png 768w']);
  await user.click(screen.getByRole('button', { name: /Show larger/ }));
  const large = () => document.querySelector('dialog img')?.getAttribute('src');
  expect(large()).toBe('/back-large.png');
  screen.getByLabelText('Close').focus();
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(large()).toBe('/front-large.png'));
});

it('counts what was looked at and what went into the cart', async () => {
  const told = counted();
  const { user } = show();
  await waitFor(() => expect(told).toEqual(['product_view/1']));
  window.addEventListener('submit', (event) => event.preventDefault(), { once: true });
  await user.click(button());
  expect(told.at(-1)).toBe('product_add_to_cart/1');
});
