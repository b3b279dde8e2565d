import { app, type Ctx, InvalidInput } from '#core';
import type { FieldInfo } from '../../../backend/types.ts';
import type { Cell } from './table.ts';

/** What precedes the decimals of a number. */
export type DecimalSign = '.' | ',';

/** A language for each sign: files aren't written in the language of the user who imports them. */
const languages: Readonly<Record<DecimalSign, string>> = { '.': 'en_US', ',': 'de_DE' };

/**
 * Reads a number of a file in plain notation: `1,234.50`, `1.234,50 €`, `1 234,5`. `decimal` is the sign to assume if the text alone doesn't tell ("1,250").
 *
 * @throws InvalidInput if the field can't hold it, or if it could be two numbers and `decimal` is null
 */
export function readNumber(ctx: Ctx, text: string, field: FieldInfo, decimal: DecimalSign | null): string {
  const value = text.slice(0, 60);
  const readings = readingsOf(ctx, text, field, decimal);
  const [number, other] = numbersIn(readings);
  if (number !== undefined && other !== undefined) {
    const [a = '', b = ''] = [number, other].map((each) => plainNumber(ctx, each));
    throw new InvalidInput('“{value}” could be {a} or {b}. Choose which one the file means.', about({ value, a, b }));
  }
  if (number !== undefined) return number;
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

/** The numbers that a text can mean, with a decimal point and with a decimal comma, as the user writes them; one or none unless both differ. */
export function numberReadings(ctx: Ctx, text: string, field: FieldInfo): readonly string[] {
  return numbersIn(readingsOf(ctx, text, field, null)).map((number) => plainNumber(ctx, number));
}

function readingsOf(ctx: Ctx, text: string, { kind, places }: FieldInfo, decimal: DecimalSign | null) {
  const sign = decimalSignOf(text) ?? decimal;
  const most = kind === 'integer' ? 0 : kind === 'decimal' ? (places ?? 6) : undefined;
  // If a text could be two numbers, both are shown, whether the field could hold them or not.
  const input = { currency: 'any', percent: true, places: sign === null ? undefined : most } as const;
  const signs = sign === null ? (['.', ','] as const) : [sign];
  return signs.map((each) => ctx.get(app.formats).parseNumber(text, languages[each], input));
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

/** The decimal sign that the cells of a column agree on; null if none of them tells, or they differ. */
export function decimalSignIn(cells: readonly Cell[]): DecimalSign | null {
  const signs = new Set(cells.flatMap((cell) => (typeof cell === 'string' ? (decimalSignOf(cell) ?? []) : [])));
  const [sign] = signs;
  return sign !== undefined && signs.size === 1 ? sign : null;
}

/** The decimal sign that a number tells: "999,90" and "1.234.567" have a comma, "1,250" may have either. */
function decimalSignOf(text: string): DecimalSign | null {
  const signs = (text.match(/(?<=\d)[.,](?=\d)/g) ?? []) as DecimalSign[];
  const last = signs.at(-1);
  if (last === undefined) return null;
  const other = last === '.' ? ',' : '.';
  if (signs.filter((sign) => sign === last).length > 1) return other;
  const isOpen = signs.length === 1 && /(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?!\d)/.test(text);
  return isOpen ? null : last;
}
