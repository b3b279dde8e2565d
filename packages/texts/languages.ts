/** Date and number formats of a language for clients, in the shape used by Odoo. */
export interface LanguageParameters {
  /** `fr_FR` */
  readonly id: string;
  readonly direction: 'ltr' | 'rtl';
  /** strftime, `%d/%m/%Y`. */
  readonly date_format: string;
  /** strftime, `%H:%M:%S`. */
  readonly time_format: string;
  /** Sizes of digit groups from the right as JSON text, `[3,0]`; 0 repeats the previous size. */
  readonly grouping: string;
  readonly decimal_point: string;
  readonly thousands_sep: string;
}

const codePattern = /^[a-z]{2,3}(_[A-Z]{2}|_[0-9]{3})?(@[a-z]+)?$/;
const scripts: Readonly<Record<string, string>> = {
  latin: 'Latn',
  cyrillic: 'Cyrl',
  arabic: 'Arab',
  devanagari: 'Deva',
};
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** Whether a text is one of our language codes: `en_US`, `fr`, `sr@latin`. */
export function isLanguageCode(text: string): boolean {
  return codePattern.test(text);
}

/**
 * Returns the BCP 47 tag of a language code: `fr_FR` → `fr-FR`, `sr@latin` → `sr-Latn`. Always uses the Gregorian calendar and western
 * digits, so displayed values can be typed back. Falls back to English for invalid codes.
 */
export function localeOf(lang: string): string {
  if (!isLanguageCode(lang)) return 'en-US-u-ca-gregory-nu-latn';
  const [code = 'en', variant] = lang.split('@');
  const [language = 'en', region] = code.split('_');
  const script = variant ? scripts[variant] : undefined;
  return `${[language, script, region].filter(Boolean).join('-')}-u-ca-gregory-nu-latn`;
}

/** Returns `rtl` for Arabic, Hebrew and other right-to-left languages. */
export function direction(lang: string): 'ltr' | 'rtl' {
  const [code = ''] = lang.split(/[_@]/);
  return rightToLeft.has(code) ? 'rtl' : 'ltr';
}

/** Returns the formats of a language, derived from `Intl`. */
export function languageParameters(lang: string): LanguageParameters {
  const number = new Intl.NumberFormat(localeOf(lang), { minimumFractionDigits: 1 }).formatToParts(123456789.5);
  const separator = (type: string) => number.find((part) => part.type === type)?.value ?? '';
  const groups = number.filter((part) => part.type === 'integer').map((part) => part.value.length);
  return {
    id: lang,
    direction: direction(lang),
    date_format: strftime(lang, { year: 'numeric', month: '2-digit', day: '2-digit' }),
    time_format: strftime(lang, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    grouping: JSON.stringify(groupSizes(groups)),
    decimal_point: separator('decimal') || '.',
    thousands_sep: separator('group'),
  };
}

/** Sizes of digit groups from the groups of a long number, left to right: `[3,3,3]` → `[3,0]`, `[2,2,2,3]` → `[3,2,0]`. */
function groupSizes(groups: readonly number[]): number[] {
  if (groups.length < 2) return [];
  const last = groups.at(-1) ?? 3;
  const secondLast = groups.at(-2) ?? last;
  return groups.length > 2 && secondLast !== last ? [last, secondLast, 0] : [last, 0];
}

function strftime(lang: string, options: Intl.DateTimeFormatOptions): string {
  const parts = new Intl.DateTimeFormat(localeOf(lang), { ...options, timeZone: 'UTC' }).formatToParts(new Date(0));
  const twelve = parts.some((part) => part.type === 'dayPeriod');
  const letters: Readonly<Record<string, string>> = {
    year: '%Y',
    month: '%m',
    day: '%d',
    hour: twelve ? '%I' : '%H',
    minute: '%M',
    second: '%S',
    dayPeriod: '%p',
  };
  return parts
    .map((part) => letters[part.type] ?? part.value.replace(/[\u202f\u00a0\u200f\u200e]/g, ' '))
    .join('')
    .trim();
}
