import { epcText, isBankAccount, readableAccount } from '../services/payment/bank-account.ts';

const transfer = {
  owner: 'La Tonnelle',
  account: 'FR76 3000 6000 0112 3456 7890 189',
  bic: 'agrifrpp',
  reference: 'SO00012',
  amount: 12_345,
  currency: 'EUR',
};

describe('bank accounts', () => {
  it('are IBANs whose digits fit, or the digits of a country without them', () => {
    const good = ['FR7630006000011234567890189', 'be68 5390 0754 7034', '026009593 / 12345678'];
    const bad = ['FR7630006000011234567890188', 'FR76', 'BE68 5390 0754 703', 'my bank', '12'];
    expect([good.map(isBankAccount), bad.map(isBankAccount)]).toEqual([good.map(() => true), bad.map(() => false)]);
    expect(readableAccount('be68539007547034')).toBe('BE68 5390 0754 7034');
  });

  it('are told to banking apps line by line as the EPC asks', () => {
    expect(epcText(transfer)?.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'AGRIFRPP',
      'La Tonnelle',
      'FR7630006000011234567890189',
      'EUR123.45',
      '',
      '',
      'SO00012',
    ]);
    expect(
      epcText({ ...transfer, amount: 5, bic: null })
        ?.split('\n')
        .slice(4, 8),
    ).toEqual(['', 'La Tonnelle', 'FR7630006000011234567890189', 'EUR0.05']);
  });

  it('are not, where there is no IBAN, nothing to pay, or another currency', () => {
    for (const other of [{ currency: 'USD' }, { amount: 0 }, { amount: -5 }, { account: '026009593 12345678' }])
      expect([other, epcText({ ...transfer, ...other })]).toEqual([other, null]);
  });
});
