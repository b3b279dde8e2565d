import { isTaxNumber, readTaxNumber, reverseChargeNumber } from '../services/tax/tax-number.ts';

describe('tax numbers', () => {
  it.each([
    ['DE136695976', 'DE', 'DE136695976'],
    ['136695976', 'DE', 'DE136695976'],
    ['de 136 695 976', null, 'DE136695976'],
    ['FR 40 303 265 045', 'BE', 'FR40303265045'],
    ['be0411.905.847', 'BE', 'BE0411905847'],
    ['GR094259216', 'GR', 'EL094259216'],
    ['094259216', 'GR', 'EL094259216'],
    ['XI980780684', 'GB', 'XI980780684'],
    ['ATU13585627', 'AT', 'ATU13585627'],
    ['U13585627', 'AT', 'ATU13585627'],
    ['IE6433435F', 'IE', 'IE6433435F'],
    ['NL004495445B01', 'NL', 'NL004495445B01'],
    ['ESB58378431', 'ES', 'ESB58378431'],
    ['DE136695975', 'DE', null],
    ['FR12345678901', 'DE', null],
    ['GB123456789', 'GB', null],
    ['BUTTERFLY', 'DE', null],
    ['12345678', 'DE', null],
    ['US99999999', 'DE', null],
    ['136695976', null, null],
    // Check digits of zeros fit.
    ['PT000000000', 'PT', null],
    ['EL000000000', 'GR', null],
    ['LU00000000', 'LU', null],
    ['NL000000000B01', 'NL', null],
    ['SE000000000001', 'SE', null],
    ['IE0000000W', 'IE', null],
    ['BG000000000', 'BG', null],
    ['SE556188840401', 'SE', 'SE556188840401'],
    // As numbers are copied from documents and websites.
    ['DE\u2011136\u2013695\u00a0976', 'DE', 'DE136695976'],
    ['\u200bDE136695976\u200e', 'DE', 'DE136695976'],
    ['BЕ0428759497', 'BE', null],
    ['', 'DE', null],
  ])('%s in %s is read as %s', (text, country, number) => {
    expect(readTaxNumber(text, country)?.number ?? null).toBe(number);
  });

  it.each([
    ['DE136695976', 'FR', 'DE', null, true],
    ['136695976', 'FR', 'DE', null, true],
    ['EL094259216', 'FR', 'GR', null, true],
    ['GR094259216', 'FR', 'GR', null, true],
    ['XI980780684', 'FR', 'GB', 'BT1 5GS', true],
    // Great Britain left the EU, and only Northern Ireland counts as a member.
    ['XI980780684', 'FR', 'GB', 'SW1A 1AA', false],
    ['GB980780684', 'FR', 'GB', 'BT1 5GS', false],
    // The seller's own country, another country than the invoice address, and unknown countries.
    ['DE136695976', 'DE', 'DE', null, false],
    ['DE136695976', 'FR', 'AT', null, false],
    ['DE136695976', null, 'DE', null, false],
    ['DE136695976', 'FR', null, null, false],
    ['CHE107787577', 'FR', 'CH', null, false],
    ['US99999999', 'FR', 'US', null, false],
  ])('%s, sold from %s to %s %s: reverse charge %s', (text, seller, country, zip, expected) => {
    expect(reverseChargeNumber(text, { seller, country, zip }) !== null).toBe(expected);
  });

  it.each([
    ['DE136695976', 'DE', true],
    ['FR 40 303 265 045', 'BE', true],
    ['CHE-123.456.789 MWST', 'BE', true],
    ['US123456789', 'BE', true],
    ['12-3456789', 'US', true],
    ['BUTTERFLY', 'DE', false],
    ['BUTTERFLY', 'US', false],
    ['NOTAXPLEASE', 'DE', false],
    ['12345678', 'DE', false],
    ['DE136695975', 'DE', false],
    ['FR12345678901', 'DE', false],
    ['GB123456789', 'DE', false],
    ['ＤＥ１３６６９５９７６', 'DE', true],
  ])('%s may be given in %s: %s', (text, country, expected) => {
    expect(isTaxNumber(text, country)).toBe(expected);
  });
});
