import { type Info, parse } from 'csv-parse/sync';
import { InvalidInput } from '#core';

/** A cell as it was read: text as it stands, numbers and dates of spreadsheets as such. */
export type Cell = string | number | boolean | Date | null;

export interface Sheet {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export const MOST_BYTES = 8 * 1024 * 1024;
export const MOST_ROWS = 10_000;
const MOST_COLUMNS = 200;
/** What a spreadsheet may hold once it is unpacked; a small file can be made to hold gigabytes. */
const MOST_UNPACKED = 120 * 1024 * 1024;

/**
 * Reads a CSV or XLSX file. The first line says what the columns are; empty lines are left out.
 *
 * @throws InvalidInput for a file that is neither, empty, or too large.
 */
export async function readFile(content: Uint8Array): Promise<Sheet> {
  const bytes = Buffer.from(content);
  if (bytes.length > MOST_BYTES)
    throw new InvalidInput('This file is too large: at most {size} MB.', {
      code: 'web.import_too_large',
      params: {
        size: MOST_BYTES / 1024 / 1024,
      },
    });
  const isZip = bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
  const table = isZip ? await readSpreadsheet(bytes) : readText(bytes);
  const filled = table.filter((row) => row.some((cell) => cell !== null && cell !== ''));
  const [first, ...rows] = filled;
  if (!first || rows.length === 0)
    throw new InvalidInput('There is nothing to import in this file: it needs a line of headings and lines below it.', {
      code: 'web.import_empty',
    });
  if (rows.length > MOST_ROWS)
    throw new InvalidInput('This file has too many lines: at most {most} at once.', {
      code: 'web.import_too_many',
      params: { most: MOST_ROWS },
    });
  if (first.length > MOST_COLUMNS)
    throw new InvalidInput('This file has too many columns: at most {most}.', {
      code: 'web.import_too_wide',
      params: { most: MOST_COLUMNS },
    });
  return { headers: first.map((cell) => String(cell ?? '').trim()), rows };
}

async function readSpreadsheet(bytes: Buffer): Promise<Cell[][]> {
  if (unpackedSize(bytes) > MOST_UNPACKED)
    throw new InvalidInput('This file is too large once it is unpacked.', { code: 'web.import_too_large' });
  try {
    // Loaded when it is needed: most servers never read a spreadsheet.
    const { readSheet } = await import('read-excel-file/node');
    const rows: readonly (readonly unknown[])[] = await readSheet(bytes);
    return rows.map((row) => row.map(cellOf));
  } catch (cause) {
    throw new InvalidInput('This spreadsheet cannot be read. Save it as .xlsx or .csv once more.', {
      code: 'web.import_unreadable',
      cause,
    });
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date || typeof value === 'number' || typeof value === 'boolean') return value;
  return String(value);
}

/** What the list of contents of a zip file says its files take. */
function unpackedSize(bytes: Buffer): number {
  const mark = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  let size = 0;
  for (let at = bytes.indexOf(mark); at >= 0 && at + 46 <= bytes.length; at = bytes.indexOf(mark, at + 46)) {
    size += bytes.readUInt32LE(at + 24);
  }
  return size;
}

function readText(bytes: Buffer): Cell[][] {
  const text = decode(bytes);
  if (text.includes('\0'))
    throw new InvalidInput('This is neither a .csv nor an .xlsx file.', { code: 'web.import_unreadable' });
  try {
    const { delimiter } = { delimiter: likelyDelimiter(text) };
    const parsed: unknown = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
    });
    return (parsed as string[][]).map((row) => row.map(withoutGuard));
  } catch (error) {
    const line = Error.isError(error) && 'lines' in error ? Number((error as Partial<Info>).lines) : 0;
    throw new InvalidInput('This file cannot be read: line {line} does not fit.', {
      code: 'web.import_unreadable',
      params: { line },
    });
  }
}

/** UTF-8 as most programs write it, else the alphabet of older spreadsheets. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The sign that stands most often in the first line, outside quotes. */
function likelyDelimiter(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: line.split(sign).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

/** Exports put an apostrophe before what a spreadsheet would take for a formula. */
function withoutGuard(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
