import 'pergola/testing/in-french';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ready } from 'pergola/browser';
import Cart from '../cart.tsx';
import CartLink from '../cart-link.tsx';
import Checkout from '../checkout.tsx';
import Choice from '../choice.tsx';
import Hold from '../hold.tsx';
import Pictures from '../pictures.tsx';
import SignIn from '../sign-in.tsx';
import Stock from '../stock.tsx';
import { counted, euro } from './kit.ts';

const price = { available: true, price: euro(1234.5), list: euro(1234.5), discount: false };
const picture = { src: '/a.png', srcset: '', thumb: '/b.png', large: '/c.png', alt: 'x' };
const line = {
  id: 7,
  product: 3,
  name: 'Tablier',
  details: null,
  url: null,
  image: null,
  isTicket: false,
  quantity: 2,
};
const amounts = { most: 9999, unitPrice: euro(10), list: euro(10), discount: false, amount: euro(20), problem: null };
const promo = { typed: '', error: '', message: '', code: null, list: '' };
const address = { guest: true, gift: false, vat: false, deliverable: true, shipping: [], values: {}, errors: {} };

beforeAll(() => ready);
beforeEach(() => void counted());
afterEach(cleanup);

it.each([
  ['CartLink', <CartLink key="" quantity={2} here />, 'Mon panier'],
  ['Pictures', <Pictures key="" name="Lampe" pictures={[picture]} shown={[0]} variants={{}} />, 'Agrandir l’image'],
  ['Stock', <Stock key="" levels={{ 0: 0, 1: 0 }} inCart={[]} initialText="Épuisé" />, 'Épuisé'],
  ['SignIn', <SignIn key="" />, 'Connectez-vous'],
  ['Cart', <Cart key="" lines={[{ ...line, ...amounts }]} frozen={false} guest promo={promo} />, 'J’ai un code promo'],
  [
    'Hold',
    <Hold key="" until={{ text: '10:02', machine: '2026-11-21T10:01:05Z' }} />,
    /Vos articles ne sont plus réservés/,
  ],
])('%s speaks French', (_name, island, text) => {
  render(island);
  expect(screen.getAllByText(text)[0]).toBeDefined();
});

it('So do links and amounts', () => {
  render(
    <>
      <Cart lines={[{ ...line, ...amounts }]} frozen={false} guest promo={promo} />
      <Choice
        {...{ product: 1, attributes: [], variants: [[1, [], 1234.5, 1234.5]], name: 'Lampe', choice: price }}
        {...{ taxNote: 'TTC', most: 9 }}
      />
    </>,
  );
  expect(screen.getByText('Commander').closest('a')?.getAttribute('href')).toBe('/fr/shop/checkout');
  expect(screen.getByLabelText('Quantité : Tablier')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Ajouter au panier' })).toBeDefined();
  expect(screen.getAllByText('1 234,50')[0]).toBeDefined();
});

it('So does what is wrong with an address', async () => {
  render(<Checkout {...address} countries={[]} states={[]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Confirmer' }));
  expect(screen.getAllByText('Remplissez ce champ.').length).toBeGreaterThan(3);
  expect(document.activeElement).toBe(screen.getByLabelText('Votre nom'));
});
