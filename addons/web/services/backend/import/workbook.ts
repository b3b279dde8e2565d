import { type CellObject, type ParsingOptions, read, type WorkBook } from '@e965/xlsx';
import { decodeHTML } from 'entities';
import { errorText } from '../formula-guard.ts';
import { momentText, numberFormat } from './formats.ts';
import { measureOpenDocument } from './open-document.ts';
import type { Cell, SheetName, TableRow } from './table.ts';
import { TooLargeUnpacked } from './zip-check.ts';

/** Maximum number of cells in an OpenDocument file, which may repeat a cell endlessly. Equals the largest import. */
const MAX_CELLS = 2_000_000;
/** Maximum number of rows of an OpenDocument file with more cells than that. */
const MAX_ROWS = 100_000;
/** Maximum number of spaces given as a count in an OpenDocument file. */
const MAX_SPACES = 10_000_000;

/** Thrown for a sheet that exceeds the limits. */
export class TooLargeSheet extends Error {
  override readonly name = 'TooLargeSheet';
  readonly kind: 'rows' | 'columns';

  constructor(kind: 'rows' | 'columns') {
    super(kind);
    this.kind = kind;
  }
}

const options: ParsingOptions = {
  dense: true,
  // Number formats, which distinguish dates, times, percentages and currencies.
  cellNF: true,
  // Distinguishes formulas without a result from empty cells.
  cellFormula: true,
  sheetStubs: true,
  cellHTML: false,
  // The declared size of a sheet may be too large.
  nodim: true,
  raw: true,
};

/** Replaces the character references of a web page (`&euml;`), few of which are known to SheetJS. Keeps references to markup characters. */
function withCharacters(page: string): string {
  return page.replace(/&(?:#\d+|#x[\da-f]+|[a-z]+\d*);/gi, (reference) => {
    const character = decodeHTML(reference);
    return /[<>&"']/.test(character) ? reference : character;
  });
}

/** Reads the sheets of a spreadsheet file: .xlsx, .xlsm, .xlsb, .xls and .ods, or a web page or XML file saved as .xls. */
export class Workbook {
  readonly sheets: readonly SheetName[];
  readonly #read: (sheet: number) => WorkBook;
  readonly #first: WorkBook;

  /**
   * @param file bytes of the file, or its text if it is a web page or XML file
   * @param openDocument `content.xml` of an OpenDocument file; empty for other files
   * @throws TooLargeSheet or TooLargeUnpacked for an OpenDocument file with too many cells; Error if it isn't a spreadsheet, is damaged or
   * protected by a password
   */
  constructor(file: Buffer | string, openDocument = '') {
    const document = measureOpenDocument(typeof file === 'string' ? file : openDocument);
    if (document.spaces > MAX_SPACES) throw new TooLargeUnpacked();
    if (document.cells > MAX_CELLS) throw document.rows > MAX_ROWS ? new TooLargeSheet('rows') : new TooLargeUnpacked();
    const content = typeof file === 'string' ? withCharacters(file) : file;
    const type = typeof file === 'string' ? 'string' : 'buffer';
    // Cells of OpenDocument files may have their percent sign in the text only. Generating texts is slow, so other files go without.
    const cellText = openDocument !== '';
    this.#read = (sheet) => read(content, { ...options, type, cellText, sheets: sheet });
    this.#first = this.#read(0);
    const { SheetNames: names, Workbook: workbook } = this.#first;
    this.sheets = names.map((name) => ({
      name,
      hidden: document.hidden.has(name) || (workbook?.Sheets?.find((sheet) => sheet.name === name)?.Hidden ?? 0) !== 0,
    }));
  }

  /**
   * Returns the rows of a sheet that have cells, with their numbers.
   *
   * @throws TooLargeSheet
   */
  rows(index: number, limits: { readonly rows: number; readonly columns: number }): TableRow[] {
    const { name = '' } = this.sheets[index] ?? {};
    const sheet = this.#first.Sheets[name] ?? this.#read(index).Sheets[name];
    const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet?.['!data'] ?? [];
    const is1904 = this.#first.Workbook?.WBProps?.date1904 === true;
    const rows: TableRow[] = [];
    // A file may contain row 2,000,000,000, so only rows and columns with cells are visited.
    for (const row of indexesOf(data)) {
      const source = data[row] ?? [];
      const cells: Cell[] = [];
      for (const column of indexesOf(source)) {
        const cell = source[column];
        const value = cell === undefined ? null : cellOf(cell, is1904);
        if (value === null || value === '') continue;
        if (column >= limits.columns) throw new TooLargeSheet('columns');
        while (cells.length < column) cells.push(null);
        cells[column] = value;
      }
      if (cells.length === 0) continue;
      if (rows.length >= limits.rows) throw new TooLargeSheet('rows');
      rows.push({ line: row + 1, cells });
    }
    return rows;
  }
}

/** Returns the indexes of an array that aren't holes, in order. */
function indexesOf(array: readonly unknown[]): number[] {
  return Object.keys(array).map(Number);
}

/** Errors by their codes in files ([MS-XLS], 2.5.10). */
const errors: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

function cellOf({ t: type, v: value, w: text, z: format, f: formula }: CellObject, is1904: boolean): Cell {
  switch (type) {
    case 'e':
      return { error: errors[Number(value ?? -1)] ?? '#ERROR!' };
    case 'z':
      return formula === undefined ? null : { error: '' };
    case 'n':
      return numberOf(Number(value ?? Number.NaN), String(format ?? (text?.endsWith('%') ? '0%' : '')), is1904);
    case 'b':
      return value === true;
    default: {
      const plain = String(value ?? '');
      return formula !== undefined && errorText.test(plain) ? { error: plain } : plain;
    }
  }
}

function numberOf(number: number, code: string, is1904: boolean): Cell {
  if (!Number.isFinite(number)) return { error: '#NUM!' };
  const format = numberFormat(code);
  // Spreadsheets calculate with 15 digits; the rest is floating-point noise.
  const exact = Number(number.toPrecision(15));
  if (format.percent) return percentText(exact);
  if (format.currency !== null) return { amount: exact, currency: format.currency };
  if (!format.date && !format.time) return exact;
  return momentText(number, format, is1904) ?? exact;
}

/** `12.5%` for 0.125. A fourth decimal distinguishes three decimals from thousands. */
function percentText(share: number): string {
  const text = Number((share * 100).toPrecision(15)).toLocaleString('en-US', {
    useGrouping: false,
    maximumFractionDigits: 15,
  });
  return `${/\.\d{3}$/.test(text) ? `${text}0` : text}%`;
}
