import type { TextParams } from './fill-text.ts';

/** Accepted formats of a number. */
export interface NumberInput {
  /** Maximum number of decimals; any number of them if left out. Integers have 0. */
  readonly places?: number | undefined;
  /** Symbols and codes that may precede or follow the number (`€`, `EUR`); `any` accepts every currency. */
  readonly currency?: readonly string[] | 'any' | undefined;
  /** Accepts a percent sign; the value is in per cent. */
  readonly percent?: boolean | undefined;
}

/** Why a text isn't a number: how many decimals were allowed, correct examples, or the two numbers it could be. */
export interface NumberProblem {
  readonly problem: 'empty' | 'format' | 'whole' | 'decimals' | 'ambiguous';
  readonly places: number | undefined;
  /** `1234.50` and `1,234.50`; the two readings of an ambiguous text. */
  readonly examples: readonly [string, string];
}

/** A number in plain notation (`-1234.5`, exact at any size), or the reason why the text isn't one. */
export type NumberReading = { readonly value: string; readonly problem?: undefined } | NumberProblem;

/** Parses numbers typed in one language. */
export type NumberParser = (text: string, input?: NumberInput) => NumberReading;

const MAX_LENGTH = 100;
/** Spaces, apostrophes and the Arabic group sign separate groups in some languages and decimals in none. */
const neutralGroups = [' ', "'", '٬'];
/** Symbols of currencies that are words; `R$` and `US$` are letters before a sign. */
const currencyWords = '(?:kr|Kč|Sk|zł|zl|Ft|lei|Fr|Rs|Rp|лв|руб|₽|円|元|원)\\.?';
const currencyAtStart = new RegExp(`^(?:[A-Z]{0,3}\\p{Sc}|[A-Z]{3}(?![A-Za-z])|${currencyWords}(?!\\p{L}))`, 'u');
const currencyAtEnd = new RegExp(`(?:[A-Z]{0,3}\\p{Sc}|(?<![A-Za-z])[A-Z]{3}|(?<!\\p{L})${currencyWords})$`, 'u');

/** Codes of currencies. Other capitals are units: `5 PCS`. */
let currencyCodes: ReadonlySet<string> | undefined;

/** Currency symbol or code at the start or end of an amount, as written (`€`, `US$`, `EUR`, `kr.`), or null. */
export function currencyIn(text: string): string | null {
  const plain = simplify(text).replace(/^[+-] */, '');
  const start = currencyAtStart.exec(plain)?.[0];
  if (start !== undefined && isCurrency(start)) return start;
  const end = currencyAtEnd.exec(plain)?.[0];
  return end !== undefined && isCurrency(end) ? end : null;
}

function isCurrency(unit: string): boolean {
  currencyCodes ??= new Set(Intl.supportedValuesOf('currency'));
  return !/^[A-Z]{3}$/.test(unit) || currencyCodes.has(unit);
}

/**
 * A parser for numbers as `Intl` writes them in a locale (`fr-FR`), in any script's digits. Separators of other languages are accepted
 * if the text can only mean one number: "1.234,56" and "19,90" are read in English, "1.250" is refused in French.
 *
 * Rejects exponents, parentheses, malformed groups ("1,2,3") and excess decimals. Never rounds.
 */
export function createNumberParser(locale: string): NumberParser {
  const { decimal, group, sizes } = conventionsOf(locale);
  const ownGroups = [group, ...neutralGroups].filter((sign) => sign !== decimal);

  const separate = (digits: string): string | null | readonly [string, string] => {
    const localNumber = readDigits(digits, decimal, ownGroups, sizes);
    if (localNumber !== null) return localNumber;
    const integer = readDigits(digits, null, ['.', ',', ...neutralGroups], sizes);
    const foreign = ['.', ',', '٫'].find((sign) => sign !== decimal && sign === digits.match(/[.,٫](?=\d*$)/)?.[0]);
    const fraction = foreign ? readDigits(digits, foreign, ['.', ',', ...neutralGroups], sizes) : null;
    if (integer !== null && fraction !== null) return [integer, fraction];
    // "1234,567" in English: three digits after the group sign are more likely a group.
    if (fraction !== null && foreign === group && /\.\d{3}$/.test(fraction)) return null;
    return integer ?? fraction;
  };

  return (text, input = {}) => {
    const fail = (problem: NumberProblem['problem'], examples = examplesOf(locale, input.places)): NumberProblem => ({
      problem,
      places: input.places,
      examples,
    });
    const plain = text.length > MAX_LENGTH ? '?' : simplify(text);
    if (plain === '') return fail('empty');
    const [, sign = '', digits = ''] = /^([+-]?) *([\d.,' ٫٬]*\d[.,٫]?)$/.exec(withoutUnits(plain, input)) ?? [];
    const reading = digits === '' ? null : separate(digits);
    if (reading === null) return fail('format');
    const minus = sign === '-' ? '-' : '';
    const { places = Number.POSITIVE_INFINITY } = input;
    const [integerDigits = '', decimalDigits = ''] = (typeof reading === 'string' ? reading : reading[1]).split('.');
    const fraction = decimalDigits.replace(/0+$/, '');
    const digitsOf = (integer: string): string => integer.replace(/^0+(?=\d)/, '') || '0';
    const value = digitsOf(integerDigits) + (fraction && `.${fraction}`);
    if (fraction.length > places) return fail(places === 0 ? 'whole' : 'decimals');
    if (typeof reading !== 'string') {
      return fail('ambiguous', [show(locale, minus + digitsOf(reading[0])), show(locale, minus + value)]);
    }
    // Three digits in a field with fewer decimals may be meant as thousands, even if they are zeros.
    if (decimalDigits.length === 3 && places < 3) return fail(places === 0 ? 'whole' : 'decimals');
    return { value: value === '0' ? value : minus + value };
  };
}

/** Explains why a number was rejected and how to write it. `t` translates into the reader's language. */
export function numberFault(
  { problem, places, examples: [a, b] }: NumberProblem,
  t: (text: string, params?: TextParams) => string,
): string {
  if (problem === 'ambiguous') return t('This could be {a} or {b}. Enter one of these.', { a, b });
  if (problem === 'decimals') return t('Use at most {n} decimals.', { n: places ?? 0 });
  if (problem === 'format' && places !== 0) return t('Use {a} or {b}.', { a, b });
  return places === 0 ? t('Enter a whole number.') : t('Enter a number.');
}

/** Sizes of digit groups: the last group, and all groups before it. */
type GroupSizes = readonly [last: number, others: number];

/** Decimal sign, group sign and group sizes. A few languages group percentages differently. */
function conventionsOf(locale: string) {
  const styles = (['decimal', 'percent'] as const).map((style) =>
    formatOf(locale, { style, minimumFractionDigits: 1, useGrouping: true }).formatToParts(12_345_678.5),
  );
  const sign = (type: string): string => simplify(styles[0]?.find((part) => part.type === type)?.value ?? '', false);
  const sizes = styles.map((parts): GroupSizes => {
    const lengths = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
    const last = lengths.at(-1) ?? 3;
    return [last, lengths.at(-2) ?? last];
  });
  return { decimal: sign('decimal') || '.', group: sign('group'), sizes: [[3, 3] as const, ...sizes] };
}

function formatOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return new Intl.NumberFormat(`${locale.replace(/-u-.*$/, '')}-u-nu-latn`, options);
}

/** A number the way the reader writes it, with all its decimals. */
function show(locale: string, value: string): string {
  const digits = value.split('.')[1]?.length ?? 0;
  return formatOf(locale, { minimumFractionDigits: digits, useGrouping: false }).format(value as `${number}`);
}

function examplesOf(locale: string, places = 2): readonly [string, string] {
  const digits = { minimumFractionDigits: Math.min(places, 2), maximumFractionDigits: Math.min(places, 2) };
  const write = (useGrouping: boolean) =>
    formatOf(locale, { ...digits, useGrouping }).format(places === 0 ? 1234 : 1234.5);
  return [write(false), write(true)];
}

/** One spelling for each sign: digits 0 to 9, `-`, plain spaces and apostrophes; without marks of direction. */
function simplify(text: string, trimmed = true): string {
  const plain = text
    .replace(/[\p{Cf}\u061c]/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[−﹣－‐‑–]/g, '-')
    .replace(/[＋﹢]/g, '+')
    .replace(/[٪％﹪]/g, '%')
    .replace(/[’‘ʼ＇´`]/g, "'")
    .replace(/[，،﹐]/g, ',')
    .replace(/[．﹒]/g, '.')
    .replace(/\s/g, ' ');
  return trimmed ? plain.trim() : plain;
}

/** Digits of a script follow each other from 0 to 9, and so do the scripts that adjoin. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let offset = 0;
  while (offset < 60 && /\p{Nd}/u.test(String.fromCodePoint(code - offset - 1))) offset += 1;
  return String(offset % 10);
}

/** The text without its currency or percent sign. The minus sign may precede or follow a symbol: `-$5`, `$-5`. */
function withoutUnits(text: string, { currency = [], percent = false }: NumberInput): string {
  const [sign = ''] = /^[+-]?/.exec(text) ?? [];
  const body = text.slice(sign.length).trim();
  const names = [...(currency === 'any' ? [] : currency.map((name) => simplify(name))), ...(percent ? ['%'] : [])]
    .filter((name) => name !== '')
    .sort((a, b) => b.length - a.length);
  const unit = currency === 'any' ? currencyIn(body) : null;
  const all = unit === null ? names : [unit, ...names];
  const start = all.find((name) => starts(body, name));
  if (start !== undefined) return sign + body.slice(start.length).trim();
  const end = all.find((name) => ends(body, name));
  return sign + (end === undefined ? body : body.slice(0, -end.length).trim());
}

const starts = (text: string, name: string): boolean => text.slice(0, name.length).toLowerCase() === name.toLowerCase();
const ends = (text: string, name: string): boolean => text.slice(-name.length).toLowerCase() === name.toLowerCase();

/** Digits with a decimal sign and well-formed groups as `1234.50`; null if they don't fit. One number has one kind of group sign. */
function readDigits(
  digits: string,
  decimal: string | null,
  groups: readonly string[],
  sizes: readonly GroupSizes[],
): string | null {
  const [integer = '', fraction = '', ...more] = decimal === null ? [digits] : digits.split(decimal);
  if (more.length > 0 || /\D/.test(fraction)) return null;
  const [group] = integer.replace(/\d/g, '');
  if (group === undefined) return integer === '' && fraction === '' ? null : `${integer || '0'}.${fraction}`;
  if (group === decimal || !groups.includes(group)) return null;
  const parts = integer.split(group);
  if (parts.some((part) => !/^\d+$/.test(part)) || parts[0]?.startsWith('0')) return null;
  const isGrouped = ([last, previousGroups]: GroupSizes): boolean =>
    parts.toReversed().every(({ length }, index) => {
      const size = index === 0 ? last : previousGroups;
      return index === parts.length - 1 ? length <= size : length === size;
    });
  return sizes.some(isGrouped) ? `${parts.join('')}.${fraction}` : null;
}
