import { pageLanguage, plural, t } from 'pergola/browser';
import { isRepeated, zoneName } from 'pergola/zones';
import type { FieldInfo, Start } from '../types.ts';
import { type Clocks, clocksOf, momentOf, needsZone, zoneOf } from './moments.ts';

/** A many2one as the wire has it. */
export function isNamed(value: unknown): value is readonly [id: number, name: string] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string';
}

/** Whether there is nothing to show: zero and "no" are something. */
export function isEmpty(value: unknown, field: Pick<FieldInfo, 'kind'>): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (value === false) return field.kind !== 'boolean';
  return Array.isArray(value) && value.length === 0;
}

/** What values are written by, beside the page's language. */
export interface FormatAbout extends Clocks {
  readonly currencies: Start['currencies'];
}

/** What values are written by for who is signed in. */
export function formatAbout(start: Start): FormatAbout {
  return { ...clocksOf(start), currencies: start.currencies };
}

/** Fields that are read with a field because it can't be shown without them: the currency of an amount, the zone of a moment. */
export function companionsOf({ currencyField, timezoneField }: FieldInfo): readonly string[] {
  return [currencyField, timezoneField].filter((name) => name !== null);
}

/** A value as people read it, in the page's language; moments on the clocks of the zone that the field declares, else the reader's. Records of x2many fields are counted. */
export function formatValue(
  value: unknown,
  field: FieldInfo,
  about: FormatAbout & { record?: Readonly<Record<string, unknown>> },
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
      if (field.currencyField && about.record?.[field.currencyField])
        return formatMoney(Number(value), about.record[field.currencyField], about.currencies, field.places ?? 6);
      return formatNumber(Number(value), { minimumFractionDigits: 2, maximumFractionDigits: field.places ?? 6 });
    case 'money':
      return formatMoney(Number(value), about.record?.[field.currencyField ?? 'currency_id'], about.currencies);
    case 'date':
      return formatDay(String(value));
    case 'datetime':
      return field.timezoneField === null
        ? formatMoment(value, about.timezone)
        : zonedMoment(value, zoneOf(field, about.record ?? {}, about), about);
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

/** A number in the page's language and the digits 0 to 9, as pages and inputs have it. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(`${pageLanguage()}-u-nu-latn`, options).format(value);
}

/** An amount in the currency that a record names (`[1, 'EUR']`), written as on pages; without one a plain number with two digits. Exact prices have up to `most` digits. */
export function formatMoney(
  value: number,
  currency: unknown,
  currencies: Start['currencies'],
  most: number = 0,
): string {
  const code = isNamed(currency) && /^[A-Z]{3}$/.test(currency[1]) ? currency[1] : null;
  const known = code === null ? undefined : currencies[code];
  if (code !== null && known === undefined) return formatNumber(value, { style: 'currency', currency: code });
  const { digits, before, after } = known ?? { digits: 2, before: '', after: '' };
  const text = formatNumber(Math.abs(value), {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, most),
  });
  return `${value < 0 ? '-' : ''}${before}${text}${after}`;
}

/** `2026-11-21` → 21 Nov 2026 */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** A moment on the clocks of a zone; with the zone's offset if they show that time twice. */
export function formatMoment(wire: unknown, timezone: string): string {
  const date = momentOf(wire);
  if (!date) return '';
  const style: Intl.DateTimeFormatOptions = isRepeated(date, timezone)
    ? { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }
    : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(pageLanguage(), { ...style, timeZone: timezone }).format(date);
}

/** A moment on the clocks of a zone, which is named if the reader's clocks, or those of the device, show another time. */
export function zonedMoment(wire: unknown, zone: string, clocks: Pick<Clocks, 'timezone'>): string {
  const date = momentOf(wire);
  const text = formatMoment(wire, zone);
  return date && needsZone(zone, date, clocks) ? `${text} (${zoneName(zone, t)})` : text;
}

function countRecords(count: number): string {
  return plural('{n} record', '{n} records', count);
}

/** The words of HTML. */
export function plainText(html: string): string {
  return (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, ' ').trim();
}

const byteUnits = [
  { unit: 'gigabyte', size: 1e9, digits: 1 },
  { unit: 'megabyte', size: 1e6, digits: 1 },
  { unit: 'kilobyte', size: 1e3, digits: 0 },
] as const;

/** `1.2 MB` in the page's language: `1,2 Mo`. */
export function formatBytes(bytes: number): string {
  const found = byteUnits.find(({ size }) => bytes >= size);
  if (!found) return t('{n} bytes', { n: formatNumber(bytes) });
  const { unit, size, digits } = found;
  return formatNumber(bytes / size, { style: 'unit', unit, maximumFractionDigits: digits });
}
