/** A value that the spreadsheet couldn't calculate (`#N/A`). An empty error is a formula whose result wasn't saved. */
export interface CellError {
  readonly error: string;
}

/** A number shown with a currency in its spreadsheet (`€`, `USD`). */
export interface CellAmount {
  readonly amount: number;
  readonly currency: string;
}

/** A cell of a file. Dates and times are ISO text: `2026-11-21`, `2026-11-21 13:45`, `13:45`. */
export type Cell = string | number | boolean | CellAmount | CellError | null;

export interface TableRow {
  /** Number of the row in the file, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface SheetName {
  readonly name: string;
  readonly hidden: boolean;
}

/** Encodings of text files, named as for `TextDecoder`. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'macintosh',
  'shift_jis',
] as const;
export type Encoding = (typeof encodings)[number];

/** Column delimiters of text files. */
export const delimiters = [';', ',', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** How to read a file; missing options are detected. */
export interface SourceChoice {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** Index of the sheet. */
  readonly sheet?: number | undefined;
  /** Number of the row with the headings, from 1. */
  readonly headerRow?: number | undefined;
}

/** The non-empty rows of a file, and how it was read. */
export interface Table {
  readonly rows: readonly TableRow[];
  /** Null for spreadsheets. */
  readonly encoding: Encoding | null;
  readonly delimiter: Delimiter | null;
  /** Empty for text files. */
  readonly sheets: readonly SheetName[];
  readonly sheet: number;
}

/** Whether a cell holds a spreadsheet error (`#N/A`) instead of a value. */
export function isError(cell: Cell): cell is CellError {
  return typeof cell === 'object' && cell !== null && 'error' in cell;
}

/** Whether a cell holds a number with a currency. */
export function isCellAmount(cell: Cell): cell is CellAmount {
  return typeof cell === 'object' && cell !== null && 'amount' in cell;
}

/** Returns a cell as text, in the format of spreadsheets. */
export function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (isError(cell)) return cell.error;
  if (isCellAmount(cell)) return `${textOf(cell.amount)} ${cell.currency}`;
  if (typeof cell !== 'number') return String(cell).trim();
  return cell.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}
