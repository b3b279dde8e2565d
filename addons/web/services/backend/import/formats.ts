/** Number format of a spreadsheet cell. */
export interface NumberFormat {
  readonly date: boolean;
  readonly time: boolean;
  /** Hours beyond 24, as in `[h]:mm`. */
  readonly elapsed: boolean;
  readonly percent: boolean;
  /** Symbol or code of the currency, or null. */
  readonly currency: string | null;
}

const plain: NumberFormat = { date: false, time: false, elapsed: false, percent: false, currency: null };

/** Parses a format code such as `dd/mm/yyyy hh:mm`. */
export function numberFormat(code: string): NumberFormat {
  if (/^general$/i.test(code)) return plain;
  // The first section is for positive numbers. Literal text, colours and languages don't affect the kind.
  const [section = ''] = code.replace(/"[^"]*"|\\.|[_*]./g, '').split(';');
  const elapsed = /\[(?:h+|m+|s+)\]/i.test(section);
  const letters = section.replace(/\[[^\]]*\]/g, '');
  const time = elapsed || /[hs]|AM\/PM/i.test(letters);
  const date = !elapsed && (/[yd]/i.test(letters) || (/m/i.test(letters) && !time));
  const isNumber = !date && !time;
  return {
    date,
    time,
    elapsed,
    percent: isNumber && letters.includes('%'),
    currency: isNumber ? currencyOf(code) : null,
  };
}

/** Currency of a format code: `[$€-407]`, `"CHF"` or `$`. */
function currencyOf(code: string): string | null {
  const [section = ''] = code.replace(/[_*]./g, '').split(';');
  const [, currencyText = ''] = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(section) ?? [];
  if (currencyText.trim() !== '') return currencyText.trim();
  const quoted = [...section.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text.trim());
  const signs = section.replace(/\[[^\]]*\]|"[^"]*"/g, '').match(/\p{Sc}/gu) ?? [];
  return [...quoted, ...signs].find(isCurrency) ?? null;
}

function isCurrency(text: string): boolean {
  return (
    /^[A-Z]{0,3}\p{Sc}$/u.test(text) || (/^[A-Z]{3}$/.test(text) && Intl.supportedValuesOf('currency').includes(text))
  );
}

const DAY = 86_400;
/** Serial number of 29 February 1900, a day that exists only in spreadsheets. */
const LEAP_BUG = 60;
/** Serial number after the year 9999, the last one that spreadsheets support. */
const MAX_DAYS = 2_958_466;

/**
 * Converts a serial number to the date or time shown by its format, to the second: `2026-11-21`, `2026-11-21 13:45`, `13:45:30`, `30:00`.
 * Rounds floating-point errors. Returns null if the number isn't a date.
 */
export function momentText(days: number, { date, time, elapsed }: NumberFormat, is1904: boolean): string | null {
  const seconds = Math.round(Math.abs(days) * DAY);
  // A small number of days in a format without a date is a sum of hours.
  if (elapsed || (!date && days < 366)) return `${days < 0 ? '-' : ''}${clock(seconds)}`;
  const wholeDays = Math.floor(seconds / DAY);
  const secondsOfDay = seconds % DAY;
  if (days < 0 || wholeDays >= MAX_DAYS) return null;
  if (wholeDays === 0 && !is1904) return secondsOfDay === 0 ? null : clock(secondsOfDay);
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, wholeDays < LEAP_BUG ? 31 : 30);
  const day = new Date(first + wholeDays * DAY * 1000).toISOString().slice(0, 10);
  return secondsOfDay === 0 && !time ? day : `${day} ${clock(secondsOfDay)}`;
}

function clock(seconds: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return seconds % 60 === 0 ? minutes : `${minutes}:${two(seconds % 60)}`;
}
