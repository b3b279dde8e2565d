import 'pergola/testing/in-french';
import { cleanup, render, screen } from '@testing-library/react';
import { ready } from 'pergola/browser';
import BankBox from '../bank-box.tsx';
import Payment from '../payment.tsx';

const acquirer = {
  id: 1,
  name: 'Virement',
  told: '',
  test: true,
  message: '',
  keeping: '',
  logo: '/l.svg',
  chosen: true,
};

beforeAll(() => ready);
afterEach(cleanup);

it('Payment and bank details speak French', () => {
  render(
    <>
      <Payment acquirers={[acquirer]} attempt="k" action="/shop/payment/transaction" version="v1" back="/" />
      <BankBox rows={[{ label: 'IBAN', value: 'FR76 3000', copied: 'FR763000' }]} />
    </>,
  );
  expect(screen.getAllByText('Moyen de paiement')[0]).toBeDefined();
  expect(screen.getByRole('button', { name: /Copier.*IBAN/ })).toBeDefined();
  // Its name begins with what stands on it, for those who speak to their computer.
  expect(screen.getByText('Payer maintenant')).toBe(
    screen.getByRole('button', { name: /^Payer maintenant\s: Virement$/ }),
  );
});
