import { pageLanguage, plural, t } from 'pergola/browser';
import { isRepeated, zoneName } from 'pergola/zones';
import type { FieldInfo, Start } from '../types.ts';
import { type Clocks, clocksOf, momentOf, needsZone, zoneOf } from './moments.ts';

/** Whether a value is a many2one in wire format. */
export function isNamed(value: unknown): value is readonly [id: number, name: string] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string';
}

/** Whether there is nothing to show. Zero and "no" are values. */
export function isEmpty(value: unknown, field: Pick<FieldInfo, 'kind'>): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (value === false) return field.kind !== 'boolean';
  return Array.isArray(value) && value.length === 0;
}

/** Data for formatting values, in addition to the page's language. */
export interface FormatOptions extends Clocks {
  readonly currencies: Start['currencies'];
}

/** Formatting data of the signed-in user. */
export function formatOptions(start: Start): FormatOptions {
  return { ...clocksOf(start), currencies: start.currencies };
}

/** Returns the fields needed to show a field: the currency of an amount, the time zone of a moment. */
export function companionsOf({ currencyField, timezoneField }: FieldInfo): readonly string[] {
  return [currencyField, timezoneField].filter((name) => name !== null);
}

/**
 * Formats a value in the page's language. Moments use the time zone declared by the field, else the reader's. x2many fields show the number
 * of records.
 */
export function formatValue(
  value: unknown,
  field: FieldInfo,
  formats: FormatOptions & { record?: Readonly<Record<string, unknown>> },
): string {
  if (isEmpty(value, field)) return '';
  switch (field.kind) {
    case 'boolean':
      return value ? t('Yes') : t('No');
    case 'integer':
      return formatNumber(Number(value), { maximumFractionDigits: 0 });
    case 'float':
      return formatNumber(Number(value), { maximumFractionDigits: 6 });
    case 'decimal':
      if (field.currencyField && formats.record?.[field.currencyField])
        return formatMoney(Number(value), formats.record[field.currencyField], formats.currencies, field.places ?? 6);
      return formatNumber(Number(value), { minimumFractionDigits: 2, maximumFractionDigits: field.places ?? 6 });
    case 'money':
      return formatMoney(Number(value), formats.record?.[field.currencyField ?? 'currency_id'], formats.currencies);
    case 'date':
      return formatDay(String(value));
    case 'datetime':
      return field.timezoneField === null
        ? formatMoment(value, formats.timezone)
        : zonedMoment(value, zoneOf(field, formats.record ?? {}, formats), formats);
    case 'selection':
      return field.selection.find(([key]) => key === value)?.[1] ?? String(value);
    case 'many2one':
      return isNamed(value) ? value[1] : String(value);
    case 'one2many':
    case 'many2many':
      return Array.isArray(value) ? countRecords(value.length) : '';
    case 'json':
      return JSON.stringify(value);
    case 'html':
      return plainText(String(value));
    default:
      return String(value);
  }
}

/** Formats a number in the page's language with the digits 0 to 9, as pages and inputs do. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(`${pageLanguage()}-u-nu-latn`, options).format(value);
}

/**
 * Formats an amount in the currency of its record (`[1, 'EUR']`) as on pages; without a currency, as a plain number with two decimals.
 * Exact prices have up to `maxDigits` decimals.
 */
export function formatMoney(
  value: number,
  currency: unknown,
  currencies: Start['currencies'],
  maxDigits: number = 0,
): string {
  const code = isNamed(currency) && /^[A-Z]{3}$/.test(currency[1]) ? currency[1] : null;
  const format = code === null ? undefined : currencies[code];
  if (code !== null && format === undefined) return formatNumber(value, { style: 'currency', currency: code });
  const { digits, before, after } = format ?? { digits: 2, before: '', after: '' };
  const text = formatNumber(Math.abs(value), {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, maxDigits),
  });
  return `${value < 0 ? '-' : ''}${before}${text}${after}`;
}

/** `2026-11-21` → 21 Nov 2026 */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** Formats a moment in a time zone, with the offset if that local time occurs twice. */
export function formatMoment(wire: unknown, timezone: string): string {
  const date = momentOf(wire);
  if (!date) return '';
  const style: Intl.DateTimeFormatOptions = isRepeated(date, timezone)
    ? { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }
    : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(pageLanguage(), { ...style, timeZone: timezone }).format(date);
}

/** Formats a moment in a time zone, which is named if the reader's clock or the device's shows another time. */
export function zonedMoment(wire: unknown, zone: string, clocks: Pick<Clocks, 'timezone'>): string {
  const date = momentOf(wire);
  const text = formatMoment(wire, zone);
  return date && needsZone(zone, date, clocks) ? `${text} (${zoneName(zone, t)})` : text;
}

function countRecords(count: number): string {
  return plural('{n} record', '{n} records', count);
}

/** Returns the text content of HTML. */
export function plainText(html: string): string {
  return (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** `3 minutes`, `1.5 seconds`, in the page's language and its plural forms. */
export function formatDuration(value: number, unit: 'day' | 'hour' | 'minute' | 'second'): string {
  return formatNumber(value, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 });
}

const byteUnits = [
  { unit: 'gigabyte', size: 1e9, digits: 1 },
  { unit: 'megabyte', size: 1e6, digits: 1 },
  { unit: 'kilobyte', size: 1e3, digits: 0 },
] as const;

/** `1.2 MB` in the page's language, such as `1,2 Mo`. */
export function formatBytes(bytes: number): string {
  const byteUnit = byteUnits.find(({ size }) => bytes >= size);
  if (!byteUnit) return t('{n} bytes', { n: formatNumber(bytes) });
  const { unit, size, digits } = byteUnit;
  return formatNumber(bytes / size, { style: 'unit', unit, maximumFractionDigits: digits });
}
