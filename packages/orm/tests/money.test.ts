import fc from 'fast-check';
import { InvalidInput } from '../../../core/base/errors.ts';
import { decimal } from '../decimal.ts';
import { fromMinor, toMinor } from '../money.ts';

const yen = { digits: 0 };
const euro = { digits: 2 };
const dinar = { digits: 3 };
const franc = { digits: 2, rounding: '0.05' };

describe('toMinor', () => {
  test.each([
    ['0', yen, 0],
    ['-0', euro, 0],
    ['0.4', yen, 0],
    ['0.5', yen, 1],
    ['-0.5', yen, -1],
    ['1234.49', yen, 1234],
    ['12.34', euro, 1234],
    ['12.345', euro, 1235],
    ['-12.345', euro, -1235],
    ['12.344999', euro, 1234],
    ['1.005', euro, 101],
    ['1.0005', dinar, 1001],
    ['-1.0005', dinar, -1001],
    ['1.0004', dinar, 1000],
    ['1.02', franc, 100],
    ['1.025', franc, 105],
    ['-1.025', franc, -105],
    ['1.07', franc, 105],
    ['1.075', franc, 110],
  ])('of %s in %o is %d', (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor);
  });

  test('of 3 × 0.333 rounds the product, not its factors', () => {
    const product = decimal('0.333').times(3);
    expect(toMinor(product, yen)).toBe(1);
    expect(toMinor(product, euro)).toBe(100);
    expect(toMinor(product, dinar)).toBe(999);
  });

  test('refuses amounts that cannot be kept exactly', () => {
    expect(() => toMinor('90071992547409.92', euro)).toThrow(InvalidInput);
    expect(toMinor('90071992547409.91', euro)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => toMinor('1', { digits: 7 })).toThrow('0 to 6 decimals');
  });
});

test('fromMinor gives all digits of the currency', () => {
  expect(fromMinor(1230, euro)).toBe('12.30');
  expect(fromMinor(-5, euro)).toBe('-0.05');
  expect(fromMinor(0, dinar)).toBe('0.000');
  expect(fromMinor(7, yen)).toBe('7');
});

test('An amount survives the way to major units and back', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom(yen, euro, dinar), (minor, currency) => {
      expect(toMinor(fromMinor(minor, currency), currency)).toBe(minor === 0 ? 0 : minor);
    }),
  );
});

test('Rounding to a step never moves an amount by more than half of it', () => {
  fc.assert(
    fc.property(fc.integer(), (minor) => {
      const rounded = toMinor(fromMinor(minor, franc), franc);
      expect(Math.abs(rounded % 5)).toBe(0);
      expect(Math.abs(rounded - minor)).toBeLessThanOrEqual(2);
    }),
  );
});

describe('A decimal', () => {
  test('calculates exactly', () => {
    expect(decimal(0.1).plus(0.2).toString()).toBe('0.3');
    expect(decimal('1').div('3').toString()).toBe('0.33333333333333333333');
    expect(decimal('-2.50').round().toString()).toBe('-3');
    expect(decimal('1.10').toString()).toBe('1.1');
    expect(decimal('1.1').toString(3)).toBe('1.100');
    expect(decimal('-0.004').toString(2)).toBe('0.00');
    expect(decimal('12.500').places()).toBe(1);
    expect(decimal('1200').places()).toBe(0);
    expect(decimal('0.001').times('0.001').toString()).toBe('0.000001');
    expect(JSON.stringify({ x: decimal('.5') })).toBe('{"x":"0.5"}');
  });

  test.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    0.1 + 0.2,
    2 ** 53,
    1e300,
    '',
    '1e3',
    '0x1',
    '1,5',
    ' 1',
    '--1',
    '1'.repeat(41),
  ])('refuses %p', (value) => {
    expect(() => decimal(value)).toThrow(InvalidInput);
  });

  test('adds like whole numbers do', () => {
    const millionths = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(millionths, millionths, (a, b) => {
        const sum = decimal(a).div(1e6).plus(decimal(b).div(1e6));
        expect(sum.times(1e6).toString()).toBe(String(a + b));
      }),
    );
  });
});
