import { InvalidInput } from '@pergola/core';
import BigJs from 'big.js';
import type { Decimal } from './fields.ts';

/** Operand of exact arithmetic: a decimal in a field's notation, a whole or short number, or another result. */
export type DecimalInput = Decimal | number | ExactDecimal;

/** Digits kept after the decimal point of a quotient; far more than any field stores. */
const divisionPlaces = 20;
const plain = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})$/;

/** A separate constructor, because settings of the one that big.js exports are shared globally. */
const Big = Object.freeze(
  Object.assign(BigJs(), { DP: divisionPlaces, RM: BigJs.roundHalfUp, NE: -1e6, PE: 1e6 }),
) as typeof BigJs;

/**
 * Exact decimal number. Immutable: every operation returns a new number. Rounds half away from zero.
 *
 * ```ts
 * decimal('19.99').times(3).round(2).toString()   // "59.97"
 * ```
 */
export class ExactDecimal {
  /** Private to this file. */
  readonly big: BigJs;

  /** Use {@link decimal}. */
  constructor(big: BigJs) {
    this.big = big;
  }

  plus(addend: DecimalInput): ExactDecimal {
    return new ExactDecimal(this.big.plus(bigOf(addend)));
  }
  minus(subtrahend: DecimalInput): ExactDecimal {
    return new ExactDecimal(this.big.minus(bigOf(subtrahend)));
  }
  times(factor: DecimalInput): ExactDecimal {
    return new ExactDecimal(this.big.times(bigOf(factor)));
  }
  /** Exact to 20 digits after the decimal point. Throws InvalidInput if `divisor` is zero. */
  div(divisor: DecimalInput): ExactDecimal {
    const bigDivisor = bigOf(divisor);
    if (bigDivisor.eq(0)) throw new InvalidInput('Can’t divide by zero.', { code: 'core.division_by_zero' });
    return new ExactDecimal(this.big.div(bigDivisor));
  }
  abs(): ExactDecimal {
    return new ExactDecimal(this.big.abs());
  }
  /** Rounds half away from zero to `places` digits after the decimal point, 0 by default. */
  round(places = 0): ExactDecimal {
    return new ExactDecimal(this.big.round(places, BigJs.roundHalfUp));
  }
  /** Rounds half away from zero to the nearest multiple of a step (`0.05`). A step of zero changes nothing. */
  roundTo(step: DecimalInput): ExactDecimal {
    const bigStep = bigOf(step);
    if (bigStep.eq(0)) return this;
    // `div` keeps 20 places, which can't move a result across a half: amounts and steps have far fewer digits.
    return new ExactDecimal(this.big.div(bigStep).round(0, BigJs.roundHalfUp).times(bigStep));
  }
  /** -1, 0 or 1. */
  compare(value: DecimalInput): -1 | 0 | 1 {
    return this.big.cmp(bigOf(value));
  }
  eq(value: DecimalInput): boolean {
    return this.compare(value) === 0;
  }
  lt(value: DecimalInput): boolean {
    return this.compare(value) < 0;
  }
  lte(value: DecimalInput): boolean {
    return this.compare(value) <= 0;
  }
  gt(value: DecimalInput): boolean {
    return this.compare(value) > 0;
  }
  gte(value: DecimalInput): boolean {
    return this.compare(value) >= 0;
  }
  isZero(): boolean {
    return this.big.eq(0);
  }
  /** Number of digits after the decimal point, without trailing zeros. */
  places(): number {
    return Math.max(0, this.big.c.length - 1 - this.big.e);
  }
  /** Plain notation as in decimal fields, without trailing zeros, or with exactly `places` digits after the decimal point. */
  toString(places?: number): Decimal {
    const text = this.big.toFixed(places, BigJs.roundHalfUp);
    return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
  }
  toJSON(): Decimal {
    return this.toString();
  }
  /** Returns the nearest JavaScript number; for display and for APIs, never for further arithmetic. */
  toNumber(): number {
    return Number(this.toString());
  }
}

/**
 * Starts exact arithmetic with a decimal: a text in plain notation, or a number that represents one.
 *
 * Numbers are taken in their shortest notation (`0.1` is one tenth). Numbers with more than 15 digits are rejected: they are rounded
 * results of floating-point arithmetic, and the intended value is unknown.
 *
 * @throws InvalidInput for anything else (`core.bad_decimal`).
 */
export function decimal(value: DecimalInput): ExactDecimal {
  return value instanceof ExactDecimal ? value : new ExactDecimal(bigOf(value));
}

function bigOf(value: DecimalInput): BigJs {
  if (value instanceof ExactDecimal) return value.big;
  const text = typeof value === 'number' ? textOf(value) : value;
  if (typeof text === 'string' && plain.test(text)) return Big(text.replace(/^\+/, '').replace(/\.$/, ''));
  throw new InvalidInput('“{value}” isn’t an exact decimal number.', {
    code: 'core.bad_decimal',
    params: { value: String(value).slice(0, 60) },
  });
}

/** Returns a number in plain notation, or null if it can't be the intended decimal. */
function textOf(value: number): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) return null;
  const digits = value.toExponential().replace(/e.*/, '').replace(/\D/g, '');
  return digits.length <= 15 && Math.abs(value) >= 1e-20 && Math.abs(value) < 1e21 ? Big(value).toFixed() : null;
}

/** Unit of decimal columns: one millionth. */
export const millionths = 1_000_000;

/** `12500000` → `"12.5"`. */
export function decimalText(count: number): string {
  const units = Math.trunc(Math.abs(count) / millionths);
  const fraction = Math.abs(count) % millionths;
  const sign = count < 0 ? '-' : '';
  return fraction === 0 ? `${sign}${units}` : `${sign}${units}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`;
}
