import { app, type Ctx } from 'pergola';
import type { FieldInfo, ImportColumn } from '../../../backend/types.ts';
import { isAmount } from './currencies.ts';
import { readDate } from './dates.ts';
import { type DecimalSign, decimalSignIn, numberReadings } from './numbers.ts';
import type { Cell } from './table.ts';

/** Format of the numbers and dates in a column; null if unknown. */
export interface Writing {
  readonly decimal: DecimalSign | null;
  readonly dayFirst: boolean | null;
}

const numeric: ReadonlySet<string> = new Set(['integer', 'float', 'decimal', 'money']);

/** Returns the format of a column: the user's choice, otherwise the one deduced from its unambiguous cells. */
export function writingOf(cells: readonly Cell[], field: FieldInfo | null, userWriting: Writing): Writing {
  const isNumber = field !== null && numeric.has(field.kind);
  const isDate = field?.kind === 'date' || field?.kind === 'datetime';
  return {
    decimal: isNumber ? (userWriting.decimal ?? decimalSignIn(cells, isAmount(field))) : null,
    dayFirst: isDate ? (userWriting.dayFirst ?? dayOrderIn(cells)) : null,
  };
}

/** Whether days precede months in a column; null if its cells are ambiguous or contradictory. */
export function dayOrderIn(cells: readonly Cell[]): boolean | null {
  const orders = new Set(cells.flatMap((cell) => (typeof cell === 'string' ? (readDate(cell)?.dayFirst ?? []) : [])));
  const [order] = orders;
  return order !== undefined && orders.size === 1 ? order : null;
}

/** Returns the format of a column, and the first ambiguous cell with both readings for the user to choose from. */
export function describeColumn(
  ctx: Ctx,
  cells: readonly Cell[],
  field: FieldInfo | null,
  writing: Writing,
): ImportColumn {
  const texts = cells.filter((cell) => typeof cell === 'string');
  if (field !== null && numeric.has(field.kind)) {
    const example = texts.find((text) => numberReadings(ctx, text, field).length > 1);
    const readings = example === undefined ? [] : numberReadings(ctx, example, field);
    return { kind: 'number', value: writing.decimal, question: questionOf(example, readings, ['.', ',']) };
  }
  if (field?.kind === 'date' || field?.kind === 'datetime') {
    const example = texts.find((text) => readDate(text)?.days.length === 2);
    const days = (example === undefined ? null : readDate(example))?.days ?? [];
    const readings = days.map((day) => ctx.get(app.formats).formatDate(day, ctx.lang, 'long'));
    const value = writing.dayFirst === null ? null : writing.dayFirst ? 'day' : 'month';
    return { kind: 'date', value, question: questionOf(example, readings, ['day', 'month']) };
  }
  return { kind: null, value: null, question: null };
}

function questionOf(example: string | undefined, readings: readonly string[], values: readonly string[]) {
  if (example === undefined) return null;
  return {
    example: example.trim().slice(0, 60),
    choices: readings.map((label, index) => ({ value: values[index] ?? '', label })),
  };
}
