import { buyer } from '@pergola/website_sale/kit';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Checkout from '../checkout.tsx';
import ProductList from '../product-list.tsx';
import { counted, serve } from './kit.ts';

const about = {
  guest: true,
  gift: false,
  vat: false,
  deliverable: true,
  countries: [
    { id: 1, name: 'Belgium', zip: true, state: false, usual: false },
    { id: 2, name: 'United States', zip: false, state: true, usual: true },
  ],
  states: [
    { id: 21, name: 'Ohio', country: 2 },
    { id: 22, name: 'Texas', country: 2 },
  ],
  shipping: [
    { id: 0, name: 'The same address' },
    { id: -1, name: 'Another address' },
  ],
  values: { name: 'Ada' },
  errors: {},
};
const field = (id: string) => document.getElementById(id) as HTMLInputElement & HTMLSelectElement;
let sent = 0;
const submitted = (event: Event): void => {
  if (!event.defaultPrevented) sent += 1;
  event.preventDefault();
};

let told: string[];
beforeEach(() => {
  sent = 0;
  told = counted();
  serve({});
  window.addEventListener('submit', submitted);
});
afterEach(() => {
  window.removeEventListener('submit', submitted);
  cleanup();
});

describe('The address form', () => {
  it('states follow the country, which says whether they are needed', async () => {
    render(<Checkout {...about} />);
    const user = userEvent.setup();
    await user.selectOptions(field('country_id'), 'United States');
    expect([...field('state_id').options].map(({ text }) => text)).toEqual(['Choose a state…', 'Ohio', 'Texas']);
    expect([field('state_id').required, field('zip').required]).toEqual([true, false]);
    await user.selectOptions(field('state_id'), 'Texas');
    await user.selectOptions(field('country_id'), 'Belgium');
    expect([field('state_id').value, field('state_id').required, field('zip').required]).toEqual(['', false, true]);
  });

  it('loads the states of other countries, once, and forgets those of a former choice', async () => {
    const canada = { id: 3, name: 'Canada', zip: true, state: true, usual: false };
    const asked = serve({
      '/shop/states/1': () => ({ states: [] }),
      '/shop/states/3': () => ({
        states: ['Ontario', 'Québec'].map((name, index) => ({ id: 31 + index, name, country: 3 })),
      }),
    });
    render(
      <Checkout
        {...about}
        countries={[...about.countries, canada]}
        values={{ country_id: '2', state_id: '22', shipping_country_id: '2' }}
      />,
    );
    const user = userEvent.setup();
    const listed = () => [...field('state_id').options].map(({ text }) => text);
    expect([listed(), field('state_id').value]).toEqual([['Choose a state…', 'Ohio', 'Texas'], '22']);
    await user.selectOptions(field('country_id'), 'Canada');
    expect([listed(), field('state_id').required]).toEqual([['Choose a state…', 'Ontario', 'Québec'], true]);
    await user.selectOptions(field('state_id'), 'Ontario');
    await user.selectOptions(field('country_id'), 'Belgium');
    expect([listed(), field('state_id').value]).toEqual([['Choose a state…'], '']);
    await user.selectOptions(field('country_id'), 'United States');
    await user.selectOptions(field('country_id'), 'Canada');
    expect([listed(), field('state_id').value]).toEqual([['Choose a state…', 'Ontario', 'Québec'], '31']);
    expect(asked.map(({ path }) => path)).toEqual(['/shop/states/3', '/shop/states/1']);
  });

  it('another address is asked for when it is wanted', async () => {
    render(<Checkout {...about} />);
    const fields = field('shipping_name').closest('fieldset') as HTMLFieldSetElement;
    expect(fields.disabled).toBe(true);
    await userEvent.selectOptions(screen.getByLabelText('Ship to'), 'Another address');
    expect([fields.disabled, field('shipping_city').required, fields.classList.contains('is-shown')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('marks what is missing before anything is sent, and no longer what was put right', async () => {
    render(<Checkout {...about} errors={{ city: 'There is no such city.' }} />);
    const user = userEvent.setup();
    expect(screen.getByText('There is no such city.')).toBeDefined();
    await user.type(field('email'), 'ada');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(sent).toBe(0);
    expect(document.activeElement).toBe(field('email'));
    expect(document.getElementById('email-error')?.textContent).toBe('Enter a valid email address.');
    expect(document.getElementById('phone-error')?.textContent).toBe('Fill in this field.');
    expect(field('phone').closest('.has-error')).not.toBeNull();
    await user.type(field('phone'), '1');
    expect(field('phone').closest('.has-error')).toBeNull();
    expect(told).toEqual([]);
  });

  it('tells other addons who buys, as it is written', async () => {
    const Told = () => <output>{JSON.stringify(buyer.use())}</output>;
    render(
      <Checkout {...about}>
        <Told />
      </Checkout>,
    );
    expect(screen.getByRole('status').textContent).toBe('{"name":"Ada","email":""}');
    await userEvent.type(field('email'), 'ada@example.org');
    expect(screen.getByRole('status').textContent).toBe('{"name":"Ada","email":"ada@example.org"}');
  });

  it('is sent to the server when it is filled in, and counted', async () => {
    render(<Checkout {...about} gift />);
    const user = userEvent.setup();
    await user.type(field('email'), 'ada@example.org');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect([sent, told]).toEqual([1, ['customer_signup', 'order_checkout']]);
  });
});

it('Filters of the list take effect as they are chosen; what says nothing is no part of the address', async () => {
  render(
    <ProductList>
      <form id="shop-filter">
        <input name="search" defaultValue="" />
      </form>
      <label>
        Green <input type="checkbox" name="attrib" value="1-2" form="shop-filter" />
      </label>
      <select name="order" form="shop-filter" defaultValue="featured">
        <option>featured</option>
      </select>
    </ProductList>,
  );
  await userEvent.click(screen.getByLabelText('Green'));
  expect(sent).toBe(1);
  expect([...new FormData(document.querySelector('form') as HTMLFormElement)]).toEqual([['attrib', '1-2']]);
  window.dispatchEvent(new Event('pageshow'));
  expect([...new FormData(document.querySelector('form') as HTMLFormElement)]).toHaveLength(3);
});
