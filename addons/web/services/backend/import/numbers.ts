import { app, type Ctx, decimal as exactDecimal, InvalidInput } from 'pergola';
import type { FieldInfo } from '../../../backend/types.ts';
import type { Cell } from './table.ts';

/** Returns the error for a number such as `4.00638E+12`, which has lost digits. */
export function shortenedNumber(value: string): InvalidInput {
  return new InvalidInput(
    '“{value}” is in scientific notation. Show all digits in your spreadsheet program, save the file and try again.',
    about({ value }),
  );
}

/** Decimal separator of a number. */
export type DecimalSign = '.' | ',';

/**
 * A language for each decimal separator, because files aren't necessarily in the user's language. India groups by lakhs as well as by
 * thousands.
 */
const languages: Readonly<Record<DecimalSign, string>> = { '.': 'en_IN', ',': 'de_DE' };

/**
 * Parses a number in plain notation: `1,234.50`, `1.234,50 €`, `1 234,5`, `(5)`. `decimal` is the separator to assume for ambiguous texts
 * ("1,250"). Percentages are accepted only in fields for percentages or ratios.
 *
 * @throws InvalidInput if the field can't hold it, or if it is ambiguous and `decimal` is null
 */
export function readNumber(ctx: Ctx, text: string, field: FieldInfo, decimal: DecimalSign | null): string {
  const value = text.trim().slice(0, 60);
  if (/^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(value)) throw shortenedNumber(value);
  const isPercentage = value.includes('%');
  if (isPercentage && field.percentage === null)
    throw new InvalidInput(
      '“{value}” is a percentage, but this field takes plain numbers. Enter the number without the percent sign.',
      about({ value }),
    );
  const readings = readingsOf(ctx, value, field, decimal);
  const [number, secondNumber] = numbersIn(readings);
  if (number !== undefined && secondNumber !== undefined) {
    const [a = '', b = ''] = [number, secondNumber].map((value) => plainNumber(ctx, value));
    throw new InvalidInput('“{value}” could be {a} or {b}. Choose which one the file means.', about({ value, a, b }));
  }
  if (number !== undefined)
    return isPercentage && field.percentage === 'ratio' ? exactDecimal(number).div(100).toString() : number;
  const [reading] = readings;
  const problem = reading?.problem;
  if (problem === 'whole') throw new InvalidInput('“{value}” isn’t a whole number.', about({ value }));
  if (problem === 'decimals')
    throw new InvalidInput(
      '“{value}” has too many decimals. Use at most {n}.',
      about({ value, n: reading?.problem ? (reading.places ?? 0) : 0 }),
    );
  throw new InvalidInput('“{value}” isn’t a number. Use 1234.50 or 1234,50.', about({ value }));
}

/**
 * Returns the possible values of a text, with a decimal point and with a decimal comma, formatted for the user. At most one unless both
 * differ.
 */
export function numberReadings(ctx: Ctx, text: string, field: FieldInfo): readonly string[] {
  return numbersIn(readingsOf(ctx, text, field, null)).map((number) => plainNumber(ctx, number));
}

function readingsOf(ctx: Ctx, text: string, { kind, places }: FieldInfo, decimal: DecimalSign | null) {
  const normalized = normalizeNumber(text);
  const sign = decimalSignOf(normalized) ?? decimal;
  const maxPlaces = kind === 'integer' ? 0 : kind === 'decimal' ? (places ?? 6) : undefined;
  // Shows both values of an ambiguous text, even if the field couldn't hold them.
  const input = { currency: 'any', percent: true, places: sign === null ? undefined : maxPlaces } as const;
  const signs = sign === null ? (['.', ','] as const) : [sign];
  return signs.map((sign) => ctx.get(app.formats).parseNumber(normalized, languages[sign], input));
}

function numbersIn(readings: ReturnType<typeof readingsOf>): readonly string[] {
  return [...new Set(readings.flatMap((reading) => (reading.problem ? [] : [reading.value])))];
}

function plainNumber(ctx: Ctx, number: string): string {
  return ctx.get(app.formats).formatNumber(number, ctx.lang, { max: 6, group: false });
}

function about(params: Readonly<Record<string, string | number>>) {
  return { code: 'web.import_value', params };
}

/**
 * Normalises a number from a business document: `(5)` and `5-` are negative, `5,-` has no decimals, a leading apostrophe marks a text.
 * Returns other texts unchanged.
 */
function normalizeNumber(text: string): string {
  return text
    .trim()
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/^['’](?=\P{L})/u, '')
    .replace(/(?<=\d[.,])\s?[-–—]{1,2}(?=\D*$)/, '00')
    .replace(/^([^\d()-]*)\(([^()-]*\d[^()-]*)\)([^\d()-]*)$/, '-$1$2$3')
    .replace(/^([^-]*\d)\s?-(?=[^\d-]*$)/, '-$1');
}

/**
 * Returns the decimal separator that the cells of a column agree on, or null if they are ambiguous or contradictory. For a column of
 * amounts, also null if it would result in three decimals ("1,234" among "12,50"), which are more likely thousands.
 */
export function decimalSignIn(cells: readonly Cell[], isAmount = false): DecimalSign | null {
  const texts = cells.flatMap((cell) => (typeof cell === 'string' ? [normalizeNumber(cell)] : []));
  const signs = new Set(texts.flatMap((text) => decimalSignOf(text) ?? []));
  const [sign] = signs;
  if (sign === undefined || signs.size > 1) return null;
  return isAmount && texts.some((text) => openSign(text) === sign) ? null : sign;
}

/** Returns the decimal separator that a number implies: "999,90" and "1.234.567" have a comma, "1,250" may have either. */
function decimalSignOf(text: string): DecimalSign | null {
  const signs = signsIn(text);
  const last = signs.at(-1);
  if (last === undefined || openSign(text) !== null) return null;
  const otherSign = last === '.' ? ',' : '.';
  return signs.filter((sign) => sign === last).length > 1 ? otherSign : last;
}

/** Returns the only separator of a number if three digits follow it, so that it may separate thousands or decimals. */
function openSign(text: string): DecimalSign | null {
  const [sign = null, ...more] = signsIn(text);
  return more.length === 0 && /(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?!\d)/.test(text) ? sign : null;
}

function signsIn(text: string): DecimalSign[] {
  return (text.match(/(?<=\d)[.,](?=\d)/g) ?? []) as DecimalSign[];
}
