import { InvalidInput } from '@pergola/core';
import BigJs from 'big.js';
import type { Decimal } from './fields.ts';

/** What exact arithmetic takes: a decimal as a field holds it, a whole or short number, or a result of it. */
export type DecimalInput = Decimal | number | ExactDecimal;

/** Digits after the point that a division keeps; far beyond what any field stores. */
const divisionPlaces = 20;
const plain = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})$/;

/** Our own constructor: the settings of the one that big.js exports are everybody's. */
const Big = Object.freeze(
  Object.assign(BigJs(), { DP: divisionPlaces, RM: BigJs.roundHalfUp, NE: -1e6, PE: 1e6 }),
) as typeof BigJs;

/**
 * An exact decimal number to calculate with. Never changes; every operation answers a new one. Rounding is half away from zero.
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

  plus(other: DecimalInput): ExactDecimal {
    return new ExactDecimal(this.big.plus(bigOf(other)));
  }
  minus(other: DecimalInput): ExactDecimal {
    return new ExactDecimal(this.big.minus(bigOf(other)));
  }
  times(other: DecimalInput): ExactDecimal {
    return new ExactDecimal(this.big.times(bigOf(other)));
  }
  /** Exact to 20 digits after the point. Throws InvalidInput when `other` is zero. */
  div(other: DecimalInput): ExactDecimal {
    const by = bigOf(other);
    if (by.eq(0)) throw new InvalidInput('Can’t divide by zero.', { code: 'core.division_by_zero' });
    return new ExactDecimal(this.big.div(by));
  }
  abs(): ExactDecimal {
    return new ExactDecimal(this.big.abs());
  }
  /** To so many digits after the point (0 when left out), half away from zero. */
  round(places = 0): ExactDecimal {
    return new ExactDecimal(this.big.round(places, BigJs.roundHalfUp));
  }
  /** To the nearest multiple of a step (`0.05`), half away from zero. A step of zero changes nothing. */
  roundTo(step: DecimalInput): ExactDecimal {
    const by = bigOf(step);
    if (by.eq(0)) return this;
    // `div` keeps 20 places, which cannot move a result across a half: amounts and steps have far fewer digits.
    return new ExactDecimal(this.big.div(by).round(0, BigJs.roundHalfUp).times(by));
  }
  /** -1, 0 or 1. */
  compare(other: DecimalInput): -1 | 0 | 1 {
    return this.big.cmp(bigOf(other));
  }
  eq(other: DecimalInput): boolean {
    return this.compare(other) === 0;
  }
  lt(other: DecimalInput): boolean {
    return this.compare(other) < 0;
  }
  lte(other: DecimalInput): boolean {
    return this.compare(other) <= 0;
  }
  gt(other: DecimalInput): boolean {
    return this.compare(other) > 0;
  }
  gte(other: DecimalInput): boolean {
    return this.compare(other) >= 0;
  }
  isZero(): boolean {
    return this.big.eq(0);
  }
  /** How many digits stand after the point, without zeros at the end. */
  places(): number {
    return Math.max(0, this.big.c.length - 1 - this.big.e);
  }
  /** Plain notation as decimal fields hold it, without zeros at the end; with exactly `places` digits after the point when given. */
  toString(places?: number): Decimal {
    const text = this.big.toFixed(places, BigJs.roundHalfUp);
    return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
  }
  toJSON(): Decimal {
    return this.toString();
  }
  /** The nearest JavaScript number; for showing and for calls, never to calculate on. */
  toNumber(): number {
    return Number(this.toString());
  }
}

/**
 * Exact arithmetic on a decimal: a text in plain notation, or a number that stands for one.
 *
 * Numbers are taken by their shortest notation (`0.1` is one tenth) and refused when that has more than 15 digits, because then they are the
 * rounded result of floating-point arithmetic and nobody knows what was meant.
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

/** A number in plain notation, or null when it cannot be the decimal that somebody meant. */
function textOf(value: number): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) return null;
  const digits = value.toExponential().replace(/e.*/, '').replace(/\D/g, '');
  return digits.length <= 15 && Math.abs(value) >= 1e-20 && Math.abs(value) < 1e21 ? Big(value).toFixed() : null;
}

/** A column of kind decimal counts in these. */
export const millionths = 1_000_000;

/** `12500000` → `"12.5"`. */
export function decimalText(count: number): string {
  const whole = Math.trunc(Math.abs(count) / millionths);
  const rest = Math.abs(count) % millionths;
  const sign = count < 0 ? '-' : '';
  return rest === 0 ? `${sign}${whole}` : `${sign}${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}
