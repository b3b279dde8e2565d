import {
  createNumberParser,
  isRepeated,
  type NumberInput,
  type NumberParser,
  type NumberReading,
} from '@pergola/browser';
import { localeOf } from './languages.ts';

/** Notation of a currency. */
export interface CurrencyFormat {
  /** ISO 4217, `EUR`. */
  readonly code: string;
  /** Decimal places: 0, 2 or 3. */
  readonly digits: number;
  readonly symbol: string;
  readonly position: 'before' | 'after';
}

export type DateStyle = 'short' | 'medium' | 'long' | 'full' | 'day' | 'month' | 'weekday' | 'year';
export type DateTimeStyle = 'short' | 'medium' | 'long' | 'full' | 'time';
type NumberValue = number | bigint | string;

/** Exactly `digits` decimal places if set, otherwise between `min` (0) and `max` (3). */
interface NumberStyle {
  readonly digits?: number;
  readonly min?: number;
  readonly max?: number;
  /** 0.25 → 25 %. */
  readonly percent?: boolean;
  /** False: without group separators, 1234. */
  readonly group?: boolean;
}

/**
 * Formats numbers, amounts and dates in a person's language.
 *
 * ```ts
 * const formats = createFormats();
 * formats.formatMoney(123456, euro, 'fr_FR')        // "1 234,56 €"
 * formats.formatDate('2026-11-21', 'en_US', 'long') // "November 21, 2026"
 * ```
 */
export interface Formats {
  /** Formats an amount in minor units (cents), exactly for any size. */
  formatMoney(minorUnits: number | bigint, currency: CurrencyFormat, lang: string): string;
  /** Formats a number, or an exact decimal given as text. Throws a RangeError for invalid numbers. */
  formatNumber(value: NumberValue, lang: string, style?: NumberStyle): string;
  /** Parses a number as {@link formatNumber} and {@link formatMoney} write it in the person's language. Never rounds. */
  parseNumber(text: string, lang: string, input?: NumberInput): NumberReading;
  /** Formats a calendar day (`"2026-11-21"`), independent of time zones. Throws a RangeError for invalid days. */
  formatDate(day: string, lang: string, style?: DateStyle): string;
  /** Formats a moment as shown by clocks in `timezone` (IANA), with the zone's offset if they show that time twice. */
  formatDateTime(moment: Date, timezone: string, lang: string, style?: DateTimeStyle): string;
  /** Formats the calendar day of a moment in a zone. */
  formatDay(moment: Date, timezone: string, lang: string, style?: DateStyle): string;
  /** Returns a cached `Intl` format, for time ranges and styles not covered above. */
  dateFormat(timezone: string, lang: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat;
  /** "3 hours ago", "tomorrow". */
  formatRelative(moment: Date, now: Date, lang: string): string;
}

export const dateStyles: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  short: { year: 'numeric', month: '2-digit', day: '2-digit' },
  medium: { year: 'numeric', month: 'short', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  full: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' },
  day: { month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  year: { year: 'numeric' },
};

export const dateTimeStyles: Readonly<Record<DateTimeStyle, Intl.DateTimeFormatOptions>> = {
  short: { ...dateStyles.short, hour: 'numeric', minute: '2-digit' },
  medium: { ...dateStyles.medium, hour: 'numeric', minute: '2-digit' },
  long: { ...dateStyles.long, hour: 'numeric', minute: '2-digit' },
  full: { ...dateStyles.full, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  time: { hour: 'numeric', minute: '2-digit' },
};

/** Units from largest to smallest, with their length in seconds; a unit is used from one of it upwards. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Number of formatted numbers cached per style: prices and counts recur, and formatting costs more than a lookup. */
const maxTexts = 1000;

/**
 * Creates formats with a cache of `Intl` objects, which are expensive to create (up to 0.1 ms) and cheap to use. Keep one per generation.
 */
export function createFormats(): Formats {
  const numbers = new Map<string, { format: Intl.NumberFormat; texts: Map<unknown, string> }>();
  const dates = new Map<string, Intl.DateTimeFormat>();
  const relatives = new Map<string, Intl.RelativeTimeFormat>();
  const parsers = new Map<string, NumberParser>();

  const number = (lang: string, style: NumberStyle, value: number | bigint | `${number}`): string => {
    const key = `${lang}|${style.digits ?? ''}|${style.min ?? ''}|${style.max ?? ''}|${style.percent ? '%' : ''}|${style.group ?? ''}`;
    const { format, texts } = getOrCreate(numbers, key, () => ({
      format: new Intl.NumberFormat(localeOf(lang), numberOptions(style)),
      texts: new Map(),
    }));
    if (texts.size >= maxTexts) texts.clear();
    // A map key can't distinguish -0 from 0, and -0 should never be shown.
    return getOrCreate(texts, value, () => format.format(value === 0 ? 0 : value));
  };
  const date = (lang: string, kind: string, timeZone: string, options: Intl.DateTimeFormatOptions) =>
    getOrCreate(dates, `${lang}|${kind}|${timeZone}`, () => {
      const hour = options.hour && hourStyle(lang);
      return new Intl.DateTimeFormat(localeOf(lang), { ...options, hour, timeZone });
    });

  return {
    formatMoney(minorUnits, currency, lang) {
      const text = number(lang, { digits: currency.digits }, majorUnits(minorUnits, currency.digits));
      return withSymbol(text, currency);
    },
    formatNumber(value, lang, style = {}) {
      if (typeof value === 'string' && !isNumeric(value)) throw new RangeError(`"${value}" is not a number`);
      return number(lang, style, value);
    },
    parseNumber: (text, lang, input) =>
      getOrCreate(parsers, lang, () => createNumberParser(localeOf(lang)))(text, input),
    formatDate(day, lang, style = 'medium') {
      return date(lang, style, 'UTC', dateStyles[style]).format(dayAsDate(day));
    },
    formatDateTime(moment, timezone, lang, style = 'medium') {
      const options = dateTimeStyles[style];
      return isRepeated(moment, timezone)
        ? date(lang, `${style}+time+zone`, timezone, { ...options, timeZoneName: 'short' }).format(moment)
        : date(lang, `${style}+time`, timezone, options).format(moment);
    },
    formatDay(moment, timezone, lang, style = 'medium') {
      return date(lang, style, timezone, dateStyles[style]).format(moment);
    },
    dateFormat(timeZone, lang, options) {
      const key = `${lang}|${JSON.stringify(options)}|${timeZone}`;
      return getOrCreate(dates, key, () => new Intl.DateTimeFormat(localeOf(lang), { ...options, timeZone }));
    },
    formatRelative(moment, now, lang) {
      const seconds = (moment.getTime() - now.getTime()) / 1000;
      const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      const format = getOrCreate(
        relatives,
        lang,
        () => new Intl.RelativeTimeFormat(localeOf(lang), { numeric: 'auto' }),
      );
      // `+ 0` turns -0 into 0: -0 would read "0 seconds ago" instead of "now".
      return format.format(Math.trunc(seconds / size) + 0, unit);
    },
  };
}

/** Notation of hours in a language: `9:00 AM`, `09:00`. */
function hourStyle(lang: string): 'numeric' | '2-digit' {
  const isTwelve = new Intl.DateTimeFormat(localeOf(lang), { hour: 'numeric' }).resolvedOptions().hour12;
  return isTwelve ? 'numeric' : '2-digit';
}

function getOrCreate<K, T>(store: Map<K, T>, key: K, make: () => T): T {
  const cached = store.get(key);
  if (cached !== undefined) return cached;
  const entry = make();
  store.set(key, entry);
  return entry;
}

function numberOptions({ digits, min, max, percent, group = true }: NumberStyle): Intl.NumberFormatOptions {
  return {
    style: percent ? 'percent' : 'decimal',
    useGrouping: group ? 'auto' : false,
    minimumFractionDigits: digits ?? min ?? 0,
    maximumFractionDigits: digits ?? Math.max(max ?? (percent ? 1 : 3), min ?? 0),
  };
}

/** Whether a text is a plain decimal number, which `Intl` formats exactly. */
export function isNumeric(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** Converts minor units to exact decimal text: 123456 with 2 digits → "123456E-2". */
function majorUnits(minorUnits: number | bigint, digits: number): `${number}` {
  if (typeof minorUnits === 'number' && !Number.isSafeInteger(minorUnits)) {
    throw new RangeError(`An amount is a whole number of minor units; ${minorUnits} is not`);
  }
  return `${minorUnits}E-${digits}` as `${number}`;
}

/**
 * Returns the texts before and after an amount without its sign; symbols that end in a letter (CHF, kr) are separated by a no-break space.
 */
export function aroundAmount({ symbol, position }: Pick<CurrencyFormat, 'symbol' | 'position'>): {
  readonly before: string;
  readonly after: string;
} {
  if (position === 'after') return { before: '', after: `\u00a0${symbol}` };
  return { before: /\p{L}$/u.test(symbol) ? `${symbol}\u00a0` : symbol, after: '' };
}

/** Adds a currency symbol, with the sign before it. */
function withSymbol(text: string, currency: CurrencyFormat): string {
  const { before, after } = aroundAmount(currency);
  const sign = /^[-−\u200e]*[-−]/.exec(text)?.[0] ?? '';
  return `${sign}${before}${text.slice(sign.length)}${after}`;
}

function dayAsDate(day: string): Date {
  const date = new Date(`${day}T00:00:00Z`);
  // Date accepts a missing day (February 30) as a day of the next month.
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T`);
  if (!isDay) throw new RangeError(`"${day}" is not a day like 2026-11-21`);
  return date;
}
