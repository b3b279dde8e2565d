import { InvalidInput } from '@pergola/core';
import { type DecimalInput, decimal } from './decimal.ts';
import type { Decimal, Minor } from './fields.ts';

/** Number of digits and rounding of a currency. */
export interface CurrencyUnits {
  /** Digits after the decimal point: 0 (yen), 2 (euro), 3 (dinar). */
  readonly digits: number;
  /** Step to which amounts are rounded, in major units: `"0.05"` for Swiss francs. One minor unit if omitted. */
  readonly rounding?: Decimal | number | null;
}

/** Used for records without a currency: amounts are in hundredths. */
export const noCurrency: CurrencyUnits = Object.freeze({ digits: 2 });

/**
 * Converts an amount in major units to a whole number of minor units, rounded half away from zero to the currency's step.
 *
 * ```ts
 * toMinor('12.345', { digits: 2 })                     // 1235
 * toMinor(decimal('0.333').times(3), { digits: 3 })    // 999
 * ```
 *
 * @throws InvalidInput if the amount isn't a decimal or is too large for an exact number.
 */
export function toMinor(amount: DecimalInput, currency: CurrencyUnits): Minor {
  const step = currency.rounding ?? 0;
  const stepped = decimal(step).gt(0) ? decimal(amount).roundTo(step) : decimal(amount);
  return asMinor(stepped.times(unitsPerMajor(currency)).round().toString(), amount);
}

/**
 * Converts an amount in minor units to an exact decimal in major units with all digits of the currency: `fromMinor(1230, { digits: 2 })` is
 * `"12.30"`.
 */
export function fromMinor(amount: Minor, currency: CurrencyUnits): Decimal {
  const { digits } = currency;
  const units = unitsPerMajor(currency);
  // Division by a power of ten is exact.
  if (!Number.isSafeInteger(amount)) return decimal(amount).div(units).toString(digits);
  const digitText = String(Math.abs(amount)).padStart(digits + 1, '0');
  const point = digitText.length - digits;
  const fraction = digits === 0 ? '' : `.${digitText.slice(point)}`;
  return `${amount < 0 ? '-' : ''}${digitText.slice(0, point)}${fraction}`;
}

function unitsPerMajor({ digits }: CurrencyUnits): Decimal {
  if (Number.isInteger(digits) && digits >= 0 && digits <= 6) return `1${'0'.repeat(digits)}`;
  throw new InvalidInput('A currency has 0 to 6 decimals, not {digits}.', {
    code: 'core.bad_currency',
    params: { digits: String(digits) },
  });
}

function asMinor(text: string, amount: DecimalInput): Minor {
  const minor = Number(text);
  if (Number.isSafeInteger(minor)) return minor === 0 ? 0 : minor;
  throw new InvalidInput('The amount {amount} is too large.', {
    code: 'core.amount_too_large',
    params: { amount: String(amount).slice(0, 60) },
  });
}
