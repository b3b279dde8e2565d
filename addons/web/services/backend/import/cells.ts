import { Temporal } from 'temporal-polyfill';
import { fold, InvalidInput } from '#core';
import type { FieldInfo } from '../../../backend/types.ts';
import type { NumberReader } from './numbers.ts';
import type { Cell } from './read-file.ts';

/** How dates and numbers of a file are written. */
export interface Writing {
  /** 03/04/2026 is the third of April. */
  readonly dayFirst: boolean;
  readonly timezone: string;
  readonly numbers: NumberReader;
}

/**
 * What a cell says, as `create` and `write` take it, null for an empty one; relations are for {@link Relations}.
 *
 * @throws InvalidInput for what the field cannot hold.
 */
export function readCell(cell: Cell, field: FieldInfo, writing: Writing): unknown {
  if (cell === null || cell === '') return null;
  switch (field.kind) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'money':
      return numberOf(cell, field, writing);
    case 'boolean':
      return booleanOf(cell);
    case 'date':
      return dayOf(cell, writing);
    case 'datetime':
      return momentOf(cell, writing);
    case 'selection':
      return choiceOf(cell, field);
    default:
      return textOf(cell);
  }
}

/** A cell as text; spreadsheets keep what looks like a number as one. */
export function textOf(cell: Cell): string {
  if (cell === null) return '';
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell).trim();
}

function about(cell: Cell) {
  return { code: 'web.import_value', params: { value: textOf(cell).slice(0, 60) } };
}

/** Numbers of spreadsheets are numbers already; whether they fit the field is for the model to say. */
function numberOf(cell: Cell, field: FieldInfo, { numbers }: Writing): number | string {
  if (typeof cell === 'number') return cell;
  const value = numbers(textOf(cell), field);
  return field.kind === 'integer' || field.kind === 'float' ? Number(value) : value;
}

const yes: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'y', 'x', 'oui', 'o', 'vrai', 'on']);
const no: ReadonlySet<string> = new Set(['0', 'false', 'no', 'n', 'non', 'faux', 'off', '']);

function booleanOf(cell: Cell): boolean {
  if (typeof cell === 'boolean') return cell;
  const text = fold(textOf(cell));
  if (yes.has(text)) return true;
  if (no.has(text)) return false;
  throw new InvalidInput('“{value}” is neither yes nor no.', about(cell));
}

/** A day as one writes it, 2026-11-21 or 21/11/2026, with or without a time behind it. */
const written =
  /^(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[./-](\d{1,2})[./-](\d{4}))(?:[T ]+([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

function dayOf(cell: Cell, writing: Writing): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  const day = dayIn(written.exec(textOf(cell)), writing);
  if (day === null) throw new InvalidInput('“{value}” is no date.', about(cell));
  return day;
}

/** The day among what was found; null for one that no calendar has. */
function dayIn(found: RegExpExecArray | null, { dayFirst }: Writing): string | null {
  const [, isoYear, isoMonth, isoDay, first, second, year = isoYear] = found ?? [];
  const [month = isoMonth, day = isoDay] = dayFirst ? [second, first] : [first, second];
  const text = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : text;
}

/** A moment with its zone, or one on the user's clock. */
function momentOf(cell: Cell, writing: Writing): string {
  const found = written.exec(cell instanceof Date ? cell.toISOString().slice(0, 19) : textOf(cell));
  const day = dayIn(found, writing);
  const [hour = '0', minute = '00', second = '00', zone] = found?.slice(7) ?? [];
  const local = `${day}T${hour.padStart(2, '0')}:${minute}:${second}`;
  const date = day === null ? null : zone ? new Date(`${local}${zone}`) : inZone(local, writing.timezone);
  if (date === null || Number.isNaN(date.getTime()))
    throw new InvalidInput('“{value}” is no date and time.', about(cell));
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

function inZone(local: string, timezone: string): Date {
  return new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds);
}

function choiceOf(cell: Cell, { selection }: FieldInfo): string {
  const text = textOf(cell);
  const wanted = fold(text);
  const found =
    selection.find(([key]) => key === text) ??
    selection.find(([, label]) => fold(label) === wanted) ??
    selection.find(([key]) => fold(key) === wanted);
  if (found) return found[0];
  throw new InvalidInput('“{value}” is none of: {choices}.', {
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
