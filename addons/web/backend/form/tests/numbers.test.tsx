import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { draw, field, fillGaps, model, serve } from './kit.tsx';

beforeAll(fillGaps);
afterEach(cleanup);
afterEach(() => {
  document.documentElement.lang = '';
});
const user = userEvent.setup();
const input = async (name: string) => (await screen.findByRole('textbox', { name })) as HTMLInputElement;

const sale = model('sale', [
  field('name'),
  field('amount', { kind: 'money', label: 'Amount', currencyField: 'currency_id' }),
  field('seats', { kind: 'integer', label: 'Seats' }),
  field('discount', { kind: 'decimal', label: 'Discount %', places: 2, percentage: 'percent' }),
  field('price', { kind: 'decimal', label: 'Price', currencyField: 'currency_id' }),
  field('currency_id', { kind: 'many2one', relation: 'currency', readonly: true }),
]);
const record = { id: 3, name: 'One', amount: 39.5, seats: 1200, discount: 5, price: 42, currency_id: [1, 'EUR'] };

function open(lang: string) {
  document.documentElement.lang = lang;
  const calls = serve({
    model: () => sale,
    read: () => [record],
    name_get: () => [[3, 'One']],
    save: () => ({ saved: true, conflicts: null }),
  });
  return { calls, saved: () => calls.find(({ path }) => path === 'save')?.params.values };
}
const retype = async (name: string, text: string): Promise<void> => {
  await user.clear(await input(name));
  await user.type(await input(name), text);
};
const save = () => user.click(screen.getByRole('button', { name: 'Save', hidden: true }));

it.each([
  ['en-US', ['39.50', '1200', '5', '42.00']],
  ['fr-FR', ['39,50', '1200', '5', '42,00']],
])('shows amounts with their decimals, in the format of the language: %s', async (lang, shown) => {
  open(lang);
  await draw('/web/m/sale/3');
  const values = [];
  for (const name of ['Amount', 'Seats', 'Discount %', 'Price']) values.push((await input(name)).value);
  expect(values).toEqual(shown);
});

it.each([
  ['en-US', 'Amount', '4,500', { amount: 4500 }],
  ['en-US', 'Amount', '4,500.00 €', { amount: 4500 }],
  ['fr-FR', 'Amount', '4 500,00', { amount: 4500 }],
  ['fr-FR', 'Amount', '39.5', undefined],
  ['en-US', 'Seats', '1,500', { seats: 1500 }],
  ['en-US', 'Seats', '١٢', { seats: 12 }],
  ['de-CH', 'Price', '1’250.50', { price: 1250.5 }],
  ['en-US', 'Discount %', '20 %', { discount: 20 }],
  ['en-US', 'Price', '1.234,50', { price: 1234.5 }],
])('reads what is typed in %s into %s: %s', async (lang, name, text, values) => {
  const { saved } = open(lang);
  await draw('/web/m/sale/3');
  await retype(name, text);
  await retype('name', 'Two');
  await save();
  await waitFor(() => expect(saved()).toEqual({ ...values, name: 'Two' }));
});

it.each([
  ['en-US', 'Seats', '2.9', 'Enter a whole number.'],
  ['en-US', 'Seats', '1,5', 'Enter a whole number.'],
  ['en-US', 'Amount', '39.505', 'Use at most 2 decimals.'],
  ['en-US', 'Amount', '1,2,3', 'Use 1234.50 or 1,234.50.'],
  ['en-US', 'Amount', '1e5', 'Use 1234.50 or 1,234.50.'],
  ['en-US', 'Amount', '5 $', 'Use 1234.50 or 1,234.50.'],
  ['fr-FR', 'Price', '1.250', 'This could be 1250 or 1,25. Enter one of these.'],
  ['en-US', 'Price', '12345678901234.75', 'Use at most 15 digits.'],
])('refuses in %s for %s: %s', async (lang, name, text, fault) => {
  const { saved } = open(lang);
  await draw('/web/m/sale/3');
  await retype(name, text);
  expect(screen.queryByText(fault)).toBeNull();
  await save();
  expect(await screen.findAllByText(fault)).toHaveLength(1);
  const { value, ariaInvalid } = await input(name);
  expect([value, ariaInvalid]).toEqual([text, 'true']);
  expect(saved()).toBeUndefined();
  // Saves once corrected.
  await retype(name, '7');
  await save();
  await waitFor(() => expect(saved()).toMatchObject({ [name === 'Seats' ? 'seats' : name.toLowerCase()]: 7 }));
});
