import { FORM_MARK, fillText, pluralKey, type TextParams, type Translation, translationOf } from './fill-text.ts';
import { pageData } from './page-data.ts';
import { createNumberParser, type NumberInput, type NumberParser, numberFault } from './parse-number.ts';

/** The page's language as `Intl` names it, `fr-FR`. */
export function pageLanguage(): string {
  return document.documentElement.lang || pageData().lang.replace('_', '-');
}

const texts: Record<string, Translation> = Object.create(null) as Record<string, Translation>;

/** Settled once the texts of the page's language are there. Islands are woken after it; behaviours that speak wait for it. */
export const ready: Promise<void> = loadTexts();

async function loadTexts(): Promise<void> {
  const address = pageData().texts;
  if (!address) return;
  try {
    const answer = await fetch(address);
    if (answer.ok) Object.assign(texts, await answer.json());
  } catch {
    // Without translations the source texts are shown.
  }
}

/** A text of an addon in the page's language. Builds bind it to the addon of each file that imports {@link t}. */
export function translate(addon: string, text: string, params: TextParams = {}): string {
  return fillText(translationOf(texts[text] ?? text, addon), params);
}

/** The same for {@link plural}. */
export function translatePlural(addon: string, one: string, other: string, n: number, params: TextParams = {}): string {
  const translation = texts[pluralKey(one, n, texts[FORM_MARK] as string | undefined)];
  const source = n === 1 ? one : other;
  return fillText(translationOf(translation ?? source, addon), { n: formatNumber(n), ...params });
}

/** The text in the page's language, `{name}` filled from params. */
export function t(text: string, params: TextParams = {}): string {
  return translate('core', text, params);
}

/**
 * The text that fits a number, in the page's language: `plural('{n} place left', '{n} places left', free)`. `{n}` is the number as the language writes it;
 * other places are filled from params.
 */
export function plural(one: string, other: string, n: number, params: TextParams = {}): string {
  return translatePlural('core', one, other, n, params);
}

/** The path of a page or form of this site in the page's language: `/shop` → `/fr/shop`. */
export function url(path: string): string {
  return pageData().prefix + path;
}

/** How many digits a number is written with after the point. */
export type Digits = Pick<Intl.NumberFormatOptions, 'minimumFractionDigits' | 'maximumFractionDigits'>;

/** A number as the page's language writes it: `1,234.5`, `1 234,5`; in the digits 0 to 9, as the server's templates. */
export function formatNumber(value: number, digits: Digits = {}): string {
  return shortNumber(value, digits) ?? new Intl.NumberFormat(`${pageLanguage()}-u-nu-latn`, digits).format(value);
}

const parsers: Record<string, NumberParser> = {};

/**
 * Reads a number typed in the page's language. Returns it in plain notation (`1234.5`), or what is wrong with it and how to write it,
 * in the reader's language. Never rounds.
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

/** Most numbers are small, and the first formatter of a page takes longer to make than its islands; null for what has more signs than one, or has to be rounded. */
function shortNumber(
  value: number,
  { minimumFractionDigits: least = 0, maximumFractionDigits: most = Math.max(least, 3) }: Digits,
): string | null {
  const { decimal } = pageData();
  const written = value >= 0 && value <= 999 ? value.toFixed(most) : '';
  if (!decimal || Number(written || Number.NaN) !== value) return null;
  const [whole = '', fraction = ''] = written.split('.');
  const shown = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, '');
  return shown === '' ? whole : `${whole}${decimal}${shown}`;
}

/** The token that forms of this page carry; empty for visitors without a session, who need none. */
export function csrfToken(): string {
  return document.querySelector<HTMLInputElement>('input[name="csrf_token"]')?.value ?? '';
}

/** HTML of the hidden field that carries the token in forms of this page; empty where none is needed. */
export function csrfField(): string {
  const field = document.createElement('input');
  for (const [name, value] of [
    ['type', 'hidden'],
    ['name', 'csrf_token'],
    ['value', csrfToken()],
  ] as const)
    field.setAttribute(name, value);
  return csrfToken() === '' ? '' : field.outerHTML;
}
