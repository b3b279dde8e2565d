import { fold } from 'pergola';

/** A parsed date, with its time if present. */
export interface DateReading {
  /** `2026-11-21`; two days for a text like 03/04/2026: with the day first, and with the month first. */
  readonly days: readonly [day: string] | readonly [dayFirst: string, monthFirst: string];
  /** Whether the text proves that days precede months in its column (31/12/2026); null if it proves neither. */
  readonly dayFirst: boolean | null;
  /** `13:45:00`; null without a time. */
  readonly time: string | null;
  /** `Z` or `+02:00`; null for a local time. */
  readonly offset: string | null;
}

const languages = ['en', 'fr', 'de', 'nl', 'es', 'it', 'pt', 'pl', 'cs', 'sk', 'sv', 'da', 'nb', 'fi', 'hu', 'ro'];
const months = names('month', 12, (month) => Date.UTC(2026, month, 15));
/** Sunday is 0; 1 November 2026 was a Sunday. */
const weekdays = names('weekday', 7, (day) => Date.UTC(2026, 10, 1 + day));

/**
 * Returns the names and abbreviations of months or weekdays in the languages above, with their numbers. A name may have several: "so" is
 * Sunday in German and Saturday in Czech.
 */
function names(
  part: 'month' | 'weekday',
  count: number,
  moment: (index: number) => number,
): ReadonlyMap<string, ReadonlySet<number>> {
  const formats = languages.flatMap((language) =>
    (['long', 'short'] as const).map(
      (style) => new Intl.DateTimeFormat(language, { [part]: style, day: 'numeric', timeZone: 'UTC' }),
    ),
  );
  const entries = Array.from({ length: count }, (_, index) =>
    formats.map((format) => {
      const text = format.formatToParts(moment(index)).find(({ type }) => type === part)?.value ?? '';
      return [plainName(text), index] as const;
    }),
  );
  const groups = Map.groupBy(
    // Some languages abbreviate months as numbers.
    entries.flat().filter(([name]) => name !== ''),
    ([name]) => name,
  );
  return new Map([...groups].map(([name, group]) => [name, new Set(group.map(([, index]) => index))]));
}

function plainName(text: string): string {
  return fold(text).replace(/[^\p{L}]/gu, '');
}

const time =
  /^(\d{1,2})(?:\s*[:.]\s*([0-5]\d)(?:\s*[:.]\s*([0-5]\d)(?:[.,]\d+)?)?|\s*h\s*(?:([0-5]\d)(?:\s*(?:m|min|:)?\s*([0-5]\d)\s*s?)?)?)?(?:\s*([ap])\.?\s?m\.?)?(?:\s*(?:uhr|uur|h))?$/i;

/** Converts `15:30`, `15h30`, `9h`, `3:30 PM` and `15.30 Uhr` to the format `15:30:00`. Returns null if the text isn't a time. */
export function readTime(text: string): string | null {
  const [, hours = '', minutes, seconds, hourMinutes, hourSeconds, half] = time.exec(text.trim()) ?? [];
  const isMarked = minutes !== undefined || half !== undefined || /h/i.test(text);
  const hour = Number(hours);
  if (hours === '' || !isMarked || hour > 23 || (half && (hour < 1 || hour > 12))) return null;
  const inDay = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour;
  return `${two(inDay)}:${minutes ?? hourMinutes ?? '00'}:${seconds ?? hourSeconds ?? '00'}`;
}

const iso = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)/;
/** `20261121`, the date format of business software. */
const basic = /^((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)/;
const numbers = /^(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)/;
const dayAndName =
  /^(\d{1,2})(?:\.|er|st|nd|rd|th|º)?[\s.-]*(?:de |d')?(\p{L}{3,})\.?,?[\s-]*(?:de |del )?(\d{4}|\d{2})(?![\d:h])/iu;
const nameAndDay = /^(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/iu;
const asian = /^(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/;

/**
 * Parses a date in the notations of several languages: `21/11/2026`, `sam. 21.11.26 15h30`, `Nov 21, 2026 3:30 PM`. Returns null if the
 * text isn't a date.
 */
export function readDate(text: string): DateReading | null {
  const normalized = text.trim().replace(/\s+/g, ' ');
  const [, word = ''] = /^(\p{L}+)[.,]*\s/u.exec(normalized) ?? [];
  const weekday = weekdays.get(plainName(word));
  const body = weekday === undefined ? normalized : normalized.replace(/^\p{L}+[.,]*\s/u, '');
  const dayReading = daysIn(body);
  if (!dayReading) return null;
  const { days, length } = dayReading;
  const timeText = body.slice(length).replace(/^(?:,? ?T(?=\d)|[ ,]+(?:à |at |um |om |a las |alle |às )?)/i, '');
  const [, clock = timeText, offset = null] = /^(.*\d.*?) ?(Z|[+-]\d{2}:?\d{2})$/.exec(timeText) ?? [];
  const time = timeText === '' ? null : readTime(clock);
  if (timeText !== '' && (time === null || length === body.length)) return null;
  const fitting = days.filter((day) => day !== null && (weekday === undefined || weekday.has(weekdayOf(day))));
  const [first, second] = fitting as string[];
  if (first === undefined) return null;
  const isOpen = second !== undefined && second !== first;
  const dayFirst = days.length < 2 || isOpen || second === first ? null : first === days[0];
  return { days: isOpen ? [first, second] : [first], dayFirst, time, offset };
}

/** Returns the possible days of a text, with null for invalid dates; two if the order of day and month is ambiguous. */
function daysIn(text: string): { readonly days: readonly (string | null)[]; readonly length: number } | null {
  const readingOf = (match: RegExpExecArray | null, ...days: (string | null)[]) =>
    match ? { days, length: match[0].length } : null;
  const [i, b, n, d, m, a] = [iso, basic, numbers, dayAndName, nameAndDay, asian].map((pattern) => pattern.exec(text));
  if (b) return readingOf(b, calendarDay(b[1], Number(b[2]), b[3]));
  if (i) return readingOf(i, calendarDay(i[1], Number(i[3]), i[4]));
  if (a) return readingOf(a, calendarDay(a[1], Number(a[2]), a[3]));
  if (n) return readingOf(n, calendarDay(n[4], Number(n[3]), n[1]), calendarDay(n[4], Number(n[1]), n[3]));
  const [match, name, day] = d ? [d, d[2], d[1]] : m ? [m, m[1], m[2]] : [null, '', ''];
  const [month] = months.get(plainName(name ?? '')) ?? [];
  return match && month !== undefined ? readingOf(match, calendarDay(match[3], month + 1, day)) : null;
}

function calendarDay(year = '', month = 0, day = ''): string | null {
  const text = `${fullYear(year)}-${two(month)}-${two(Number(day))}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : text;
}

/** Expands two digits to a year of this century, or of the last one if that would be more than 20 years ahead. */
function fullYear(year: string): string {
  if (year.length !== 2) return year;
  const latest = new Date().getUTCFullYear() + 20;
  return String(Math.floor(latest / 100) * 100 + Number(year) - (Number(year) > latest % 100 ? 100 : 0));
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
