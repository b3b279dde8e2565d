import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import BankBox from '../bank-box.tsx';

const rows = [
  { label: 'IBAN', value: 'FR76 3000 6000', copied: 'FR7630006000' },
  { label: 'Bank', value: 'Some bank', copied: '' },
];
afterEach(cleanup);

describe('Where a transfer goes', () => {
  it('is copied part by part, as it is pasted', async () => {
    const user = userEvent.setup();
    render(<BankBox rows={rows}>A code</BankBox>);
    expect(screen.getAllByRole('button')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Copy: IBAN' }));
    expect(await navigator.clipboard.readText()).toBe('FR7630006000');
    expect((await screen.findByRole('status')).textContent).toBe('Copied: IBAN');
    expect(screen.getByText('A code')).toBeDefined();
  });
});
