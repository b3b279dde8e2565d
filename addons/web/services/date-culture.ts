/**
 * Date formats of a language in the format of the culture files of the date library used by Odoo's clients (`Date.CultureInfo`), generated
 * from the runtime's locale data.
 */

/** Normalises a language tag (`fr-FR`). Returns null if the runtime doesn't know the language. */
export function knownLanguage(text: string): string | null {
  if (!/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,4}$/.test(text)) return null;
  try {
    const [tag] = Intl.getCanonicalLocales(text.replaceAll('_', '-'));
    return tag && Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0 ? tag : null;
  } catch {
    return null;
  }
}

/** Returns the script that sets `Date.CultureInfo` for a language of {@link knownLanguage}. */
export function cultureScript(tag: string): string {
  return `Date.CultureInfo = ${literal(culture(tag), 0)};\n`;
}

/** 1 January 2017 was a Sunday. */
const day = (number: number): Date => new Date(Date.UTC(2017, 0, 1 + number));
const month = (number: number): Date => new Date(Date.UTC(2017, number, 15));
const count = (to: number): number[] => Array.from({ length: to }, (_, number) => number);
const monthKeys = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayKeys = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function culture(tag: string): Record<string, unknown> {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, { timeZone: 'UTC', ...options });
  const days = (weekday: 'long' | 'short' | 'narrow') =>
    count(7).map((index) => format({ weekday }).format(day(index)));
  const months = (style: 'long' | 'short') =>
    count(12).map((index) => standalone(format({ month: style }), month(index)));
  const abbreviatedDayNames = days('short');
  const [monthNames, abbreviatedMonthNames] = [months('long'), months('short')];
  const dayNames = days('long');
  const shortDate = pattern(format({ year: 'numeric', month: 'numeric', day: 'numeric' }));
  const time = format({ hour: 'numeric', minute: '2-digit' });
  const longTime = pattern(format({ hour: 'numeric', minute: '2-digit', second: '2-digit' }));
  const longDate = pattern(format({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }));
  return {
    name: tag,
    englishName: new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag,
    nativeName: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag,
    dayNames,
    abbreviatedDayNames,
    shortestDayNames: abbreviatedDayNames.map((name) => [...name].slice(0, 2).join('')),
    firstLetterDayNames: days('narrow'),
    monthNames,
    abbreviatedMonthNames,
    amDesignator: dayPeriod(tag, 1),
    pmDesignator: dayPeriod(tag, 13),
    firstDayOfWeek: firstDay(tag),
    twoDigitYearMax: 2029,
    dateElementOrder: elementOrder(shortDate),
    formatPatterns: {
      shortDate,
      longDate,
      shortTime: pattern(time),
      longTime,
      fullDateTime: `${longDate} ${longTime}`,
      sortableDateTime: 'yyyy-MM-ddTHH:mm:ss',
      universalSortableDateTime: 'yyyy-MM-dd HH:mm:ssZ',
      rfc1123: 'ddd, dd MMM yyyy HH:mm:ss GMT',
      monthDay: pattern(format({ month: 'long', day: 'numeric' })),
      yearMonth: pattern(format({ year: 'numeric', month: 'long' })),
    },
    regexPatterns: {
      ...namePatterns(monthKeys, monthNames, abbreviatedMonthNames),
      ...namePatterns(dayKeys, dayNames, abbreviatedDayNames),
      ...keywordPatterns,
    },
    abbreviatedTimeZoneStandard: { GMT: '-000', EST: '-0400', CST: '-0500', MST: '-0600', PST: '-0700' },
    abbreviatedTimeZoneDST: { GMT: '-000', EDT: '-0500', CDT: '-0600', MDT: '-0700', PDT: '-0800' },
  };
}

/** Words understood by the library besides names. They are the same for every language, because dates are typed as numbers. */
const keywordPatterns: Readonly<Record<string, RegExp>> = {
  future: /^next/i,
  past: /^last|past|prev(ious)?/i,
  add: /^(\+|after|from)/i,
  subtract: /^(-|before|ago)/i,
  yesterday: /^yesterday/i,
  today: /^t(oday)?/i,
  tomorrow: /^tomorrow/i,
  now: /^n(ow)?/i,
  millisecond: /^ms|milli(second)?s?/i,
  second: /^sec(ond)?s?/i,
  minute: /^min(ute)?s?/i,
  hour: /^h(ou)?rs?/i,
  week: /^w(ee)?k/i,
  month: /^m(o(nth)?s?)?/i,
  day: /^d(ays?)?/i,
  year: /^y((ea)?rs?)?/i,
  shortMeridian: /^(a|p)/i,
  longMeridian: /^(a\.?m?\.?|p\.?m?\.?)/i,
  timezone: /^((e(s|d)t|c(s|d)t|m(s|d)t|p(s|d)t)|((gmt)?\s*(\+|-)\s*\d\d\d\d?)|gmt)/i,
  ordinalSuffix: /^\s*(st|nd|rd|th)/i,
  timeContext: /^\s*(:|a|p)/i,
};

function namePatterns(
  keys: readonly string[],
  long: readonly string[],
  short: readonly string[],
): Record<string, RegExp> {
  const escaped = (text = ''): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return Object.fromEntries(
    keys.map((key, index) => [key, new RegExp(`^(${escaped(long[index])}|${escaped(short[index])})`, 'i')]),
  );
}

/** Returns the name of a month in its standalone form, which may differ from the one in dates. */
function standalone(format: Intl.DateTimeFormat, date: Date): string {
  return format.formatToParts(date).find(({ type }) => type === 'month')?.value ?? '';
}

function dayPeriod(tag: string, hour: number): string {
  const parts = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', hour: 'numeric', hour12: true }).formatToParts(
    Date.UTC(2017, 0, 1, hour),
  );
  return parts.find(({ type }) => type === 'dayPeriod')?.value ?? '';
}

/** 0 is Sunday. */
function firstDay(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (locale.getWeekInfo?.().firstDay ?? locale.weekInfo?.firstDay ?? 1) % 7;
}

/** Returns a format of the language in the library's notation: `dd/MM/yyyy`. */
function pattern(format: Intl.DateTimeFormat): string {
  // Single digits, so that leading zeros are visible.
  const parts = format.formatToParts(Date.UTC(2017, 0, 2, 3, 4, 5));
  const hasPeriod = parts.some(({ type }) => type === 'dayPeriod');
  return parts
    .map(({ type, value }) => {
      const two = value.length > 1;
      switch (type) {
        case 'year':
          return 'yyyy';
        case 'month':
          return /\d/.test(value) ? (two ? 'MM' : 'M') : 'MMMM';
        case 'day':
          return two ? 'dd' : 'd';
        case 'weekday':
          return 'dddd';
        case 'hour':
          return (hasPeriod ? 'h' : 'H').repeat(two ? 2 : 1);
        case 'minute':
          return 'mm';
        case 'second':
          return 'ss';
        case 'dayPeriod':
          return 'tt';
        default:
          return value.replace(/[\u202f\u00a0]/g, ' ').replace(/[\u200e\u200f]/g, '');
      }
    })
    .join('');
}

function elementOrder(shortDate: string): string {
  return [...new Set(shortDate.replace(/[^dMy]/g, '').toLowerCase())].join('');
}

/** Serialises a value as JavaScript that can't end a script element or a line. */
function literal(value: unknown, depth: number): string {
  if (value instanceof RegExp) return value.toString().replaceAll('<', '\\x3c');
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const indent = '  '.repeat(depth + 1);
    const lines = Object.entries(value).map(([key, item]) => `${indent}${key}: ${literal(item, depth + 1)}`);
    return `{\n${lines.join(',\n')}\n${'  '.repeat(depth)}}`;
  }
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
