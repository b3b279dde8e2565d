import { app, type Ctx, errorText, fold, InvalidInput, PergolaError } from 'pergola';
import { Temporal } from 'temporal-polyfill';
import type { FieldInfo } from '../../../backend/types.ts';
import { t } from '../../../texts.ts';
import type { Writing } from './columns.ts';
import { currencyOf, takesCurrency } from './currencies.ts';
import { readDate } from './dates.ts';
import { readNumber, shortenedNumber } from './numbers.ts';
import { type Cell, isCellAmount, isError, textOf } from './table.ts';

/**
 * Returns the value of a cell for `create` and `write`, or null if it is empty. For relations, see {@link Relations}.
 *
 * @throws InvalidInput if the field can't hold it, the spreadsheet couldn't calculate it, or it is ambiguous
 */
export function readCell(ctx: Ctx, cell: Cell, field: FieldInfo, writing: Writing): unknown {
  refuseError(cell);
  if (cell === null || cell === '') return null;
  switch (field.kind) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'money':
      return numberOf(ctx, cell, field, writing);
    case 'boolean':
      return booleanOf(cell);
    case 'date':
    case 'datetime':
      return momentOf(ctx, cell, field, writing);
    case 'selection':
      return choiceOf(cell, field);
    case 'text':
    case 'html':
      return typeof cell === 'string' ? cell : textOf(cell);
    default:
      refuseShortened(cell);
      return textOf(cell);
  }
}

/**
 * Refuses an error value of the spreadsheet. Its real value is unknown; it may not even be empty.
 *
 * @throws InvalidInput
 */
export function refuseError(cell: Cell): void {
  if (!isError(cell)) return;
  throw cell.error === ''
    ? new InvalidInput(
        'The result of this formula isn’t in the file. Open it in your spreadsheet program, save it and try again.',
        { code: 'web.import_formula' },
      )
    : new InvalidInput('The spreadsheet shows “{value}” here. Correct the formula or enter the value.', about(cell));
}

/**
 * Refuses numbers that lost digits: spreadsheets save long numbers such as barcodes as `4.00638E+12` in text files.
 *
 * @throws InvalidInput
 */
function refuseShortened(cell: Cell): void {
  if (typeof cell !== 'string' || !/^-?\d(?:[.,]\d{1,5})?E\+\d{2}$/.test(cell.trim())) return;
  throw shortenedNumber(cell.trim());
}

/** Returns the readable value of a cell as it would be stored, and its problem. */
export function previewCell(
  ctx: Ctx,
  cell: Cell,
  field: FieldInfo | null,
  writing: Writing,
): { readonly text: string; readonly problem: string | null } {
  const source = { text: textOf(cell), problem: null };
  try {
    refuseError(cell);
    if (!field || field.relation) return source;
    const value = readCell(ctx, cell, field, writing);
    return value === null ? { text: '', problem: null } : { text: shown(ctx, value, field), problem: null };
  } catch (error) {
    if (!(error instanceof PergolaError)) throw error;
    return { ...source, problem: errorText(ctx, error) };
  }
}

function shown(ctx: Ctx, value: unknown, { kind, selection }: FieldInfo): string {
  const formats = ctx.get(app.formats);
  switch (kind) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'money':
      return formats.formatNumber(typeof value === 'number' ? value : String(value), ctx.lang, { max: 20 });
    case 'boolean':
      return t(ctx, value === true ? 'Yes' : 'No');
    case 'date':
      return formats.formatDate(String(value), ctx.lang);
    case 'datetime': {
      const moment = new Date(`${String(value).replace(' ', 'T')}Z`);
      const timeStyle = moment.getUTCSeconds() === 0 ? 'short' : 'medium';
      return formats.dateFormat(ctx.timezone, ctx.lang, { dateStyle: 'medium', timeStyle }).format(moment);
    }
    case 'selection':
      return selection.find(([key]) => key === value)?.[1] ?? String(value);
    default:
      return String(value);
  }
}

function about(cell: Cell) {
  return { code: 'web.import_value', params: { value: textOf(cell).slice(0, 60) } };
}

/**
 * Refuses an amount with a currency in a field that doesn't accept one.
 *
 * @throws InvalidInput
 */
function refuseForeignUnit(cell: Cell, field: FieldInfo): void {
  if (currencyOf(cell) === null || takesCurrency(field)) return;
  throw field.percentage === null
    ? new InvalidInput(
        '“{value}” has a currency, but this field takes plain numbers. Enter the number alone.',
        about(cell),
      )
    : new InvalidInput(
        '“{value}” has a currency, but this field takes percentages. Enter the percentage alone.',
        about(cell),
      );
}

/** Numbers of spreadsheets are already parsed; the model checks whether they fit the field. */
function numberOf(ctx: Ctx, cell: Cell, field: FieldInfo, { decimal }: Writing): number | string {
  refuseForeignUnit(cell, field);
  if (typeof cell === 'number') return cell;
  if (isCellAmount(cell)) return cell.amount;
  const value = readNumber(ctx, textOf(cell), field, decimal);
  return field.kind === 'integer' || field.kind === 'float' ? Number(value) : value;
}

/** Words for yes and no in European languages, case-folded, as written by people and spreadsheets. */
const yes: ReadonlySet<string> = new Set(
  '1 true yes y x on ✓ ✔ ☑ oui o vrai ja j wahr waar si s verdadero vero sim verdadeiro tak prawda ano pravda igen igaz da adevarat sant kylla tosi'.split(
    ' ',
  ),
);
const no: ReadonlySet<string> = new Set([
  '',
  ...'0 false no n off ✗ ✘ ☐ non faux nein falsch nee onwaar falso nao nie falsz ne nepravda nem hamis nu fals nej falsk nei usant ei epatosi'.split(
    ' ',
  ),
]);

function booleanOf(cell: Cell): boolean {
  if (typeof cell === 'boolean') return cell;
  const text = fold(textOf(cell));
  if (yes.has(text)) return true;
  if (no.has(text)) return false;
  throw new InvalidInput('“{value}” is neither yes nor no. Use yes or no.', about(cell));
}

/** Returns a day, or a moment in UTC. Times without a zone are in the user's. */
function momentOf(ctx: Ctx, cell: Cell, { kind }: FieldInfo, { dayFirst }: Writing): string {
  const reading = typeof cell === 'string' ? readDate(cell) : null;
  if (!reading)
    throw kind === 'date'
      ? new InvalidInput('“{value}” isn’t a valid date. Use 21/11/2026 or 2026-11-21.', about(cell))
      : new InvalidInput('“{value}” isn’t a valid date and time. Use 21/11/2026 15:30.', about(cell));
  const { days, time, offset } = reading;
  const [first, second] = days;
  if (second !== undefined && dayFirst === null) {
    const [a, b] = [first, second].map((day) => ctx.get(app.formats).formatDate(day, ctx.lang, 'long'));
    throw new InvalidInput('“{value}” could be {a} or {b}. Choose which one the file means.', {
      code: 'web.import_value',
      params: { value: textOf(cell).slice(0, 60), a: a ?? '', b: b ?? '' },
    });
  }
  const day = second !== undefined && dayFirst === false ? second : first;
  if (kind === 'date') return day;
  const local = `${day}T${time ?? '00:00:00'}`;
  const moment = offset === null ? inZone(local, ctx.timezone) : new Date(`${local}${offset}`);
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

function inZone(local: string, timezone: string): Date {
  return new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds);
}

function choiceOf(cell: Cell, { selection }: FieldInfo): string {
  const text = textOf(cell);
  const folded = fold(text);
  const choice =
    selection.find(([key]) => key === text) ??
    selection.find(([, label]) => fold(label) === folded) ??
    selection.find(([key]) => fold(key) === folded);
  if (choice) return choice[0];
  throw new InvalidInput('“{value}” isn’t an option. Choose one of: {choices}.', {
    code: 'web.import_value',
    params: {
      value: text.slice(0, 60),
      choices: selection
        .map(([, label]) => label)
        .join(', ')
        .slice(0, 200),
    },
  });
}
