import { FORM_MARK, fillText, pluralKey, type TextParams, type Translation, translationOf } from './fill-text.ts';
import { pageData } from './page-data.ts';
import { createNumberParser, type NumberInput, type NumberParser, numberFault } from './parse-number.ts';

/** The page's language as `Intl` names it, `fr-FR`. */
export function pageLanguage(): string {
  return document.documentElement.lang || pageData().lang.replace('_', '-');
}

const texts: Record<string, Translation> = Object.create(null) as Record<string, Translation>;

/** Resolves once the texts of the page's language are loaded. Islands hydrate afterwards; behaviours with texts wait for it. */
export const ready: Promise<void> = loadTexts();

async function loadTexts(): Promise<void> {
  const address = pageData().texts;
  if (!address) return;
  try {
    const answer = await fetch(address);
    if (answer.ok) Object.assign(texts, await answer.json());
  } catch {
    // Without translations, the source texts are shown.
  }
}

/** Translates a text into the page's language, with `{name}` filled from params: `t('Sent on {day}', { day })`. */
export type TranslateText = (text: string, params?: TextParams) => string;

/**
 * Returns the plural form for a number, in the page's language: `plural('{n} place left', '{n} places left', free)`. `{n}` is the formatted
 * number; other placeholders are filled from params.
 */
export type TranslatePlural = (one: string, other: string, n: number, params?: TextParams) => string;

/** `t` of an addon. The build calls it for each file that imports {@link t}. */
export function tOf(addon: string): TranslateText {
  return (text, params = {}) => fillText(translationOf(texts[text] ?? text, addon), params);
}

/** `plural` of an addon. The build calls it for each file that imports {@link plural}. */
export function pluralOf(addon: string): TranslatePlural {
  return (one, other, n, params) => {
    const translation = texts[pluralKey(one, n, texts[FORM_MARK] as string | undefined)];
    const source = n === 1 ? one : other;
    return fillText(translationOf(translation ?? source, addon), { n: formatNumber(n), ...params });
  };
}

export const t: TranslateText = tOf('core');
export const plural: TranslatePlural = pluralOf('core');

/** The path of a page or form of this site in the page's language: `/shop` → `/fr/shop`. */
export function url(path: string): string {
  return pageData().prefix + path;
}

/** Number of decimals. */
export type Digits = Pick<Intl.NumberFormatOptions, 'minimumFractionDigits' | 'maximumFractionDigits'>;

/** Formats a number in the page's language: `1,234.5`, `1 234,5`; always with the digits 0 to 9, like the server's templates. */
export function formatNumber(value: number, digits: Digits = {}): string {
  return shortNumber(value, digits) ?? new Intl.NumberFormat(`${pageLanguage()}-u-nu-latn`, digits).format(value);
}

const parsers: Record<string, NumberParser> = {};

/**
 * Parses a number typed in the page's language. Returns it in plain notation (`1234.5`), or an explanation in the reader's language of how
 * to write it. Never rounds.
 */
export function parseNumber(
  text: string,
  input: NumberInput = {},
): { readonly value: string; readonly fault: null } | { readonly value: null; readonly fault: string } {
  const locale = pageLanguage();
  parsers[locale] ??= createNumberParser(locale);
  const reading = parsers[locale](text, input);
  return reading.problem ? { value: null, fault: numberFault(reading, t) } : { value: reading.value, fault: null };
}

/**
 * Fast path for small numbers: creating a page's first formatter takes longer than its islands. Null for numbers that need grouping, a
 * minus sign or rounding.
 */
function shortNumber(
  value: number,
  { minimumFractionDigits: minDigits = 0, maximumFractionDigits: maxDigits = Math.max(minDigits, 3) }: Digits,
): string | null {
  const { decimal } = pageData();
  const fixed = value >= 0 && value <= 999 ? value.toFixed(maxDigits) : '';
  if (!decimal || Number(fixed || Number.NaN) !== value) return null;
  const [integer = '', fraction = ''] = fixed.split('.');
  const decimals = fraction.slice(0, minDigits) + fraction.slice(minDigits).replace(/0+$/, '');
  return decimals === '' ? integer : `${integer}${decimal}${decimals}`;
}

/** CSRF token for forms of this page; empty for visitors without a session, who don't need one. */
export function csrfToken(): string {
  return document.querySelector<HTMLInputElement>('input[name="csrf_token"]')?.value ?? '';
}

/** HTML of the hidden token field for forms of this page; empty if no token is needed. */
export function csrfField(): string {
  const value = csrfToken();
  // A hidden field keeps its value as an attribute.
  return (
    value && Object.assign(document.createElement('input'), { type: 'hidden', name: 'csrf_token', value }).outerHTML
  );
}
