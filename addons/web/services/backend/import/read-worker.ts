import { parentPort, workerData } from 'node:worker_threads';
import type { ReadAnswer, ReadTask } from './read-file.ts';
import type { Table, TableRow } from './table.ts';
import { decodeText, NotText, OpenQuote, readText } from './text-file.ts';
import { TooLargeSheet, Workbook } from './workbook.ts';
import { checkZip, TooLargeUnpacked } from './zip-check.ts';

/*
 * Reads one file in a worker thread with its own memory and time limits, so that a malicious file can't block others. Started by
 * `read-file.ts`, which holds the error messages.
 */
const { bytes, limits, choice } = workerData as ReadTask;
/** Empty rows are common, so many more rows are read than an import may contain. */
const MAX_ROWS = limits.rows * 10;

/** Magic bytes of zip files (.xlsx, .ods) and compound files (.xls, encrypted .xlsx). */
const zipMark = [0x50, 0x4b, 0x03, 0x04];
const compoundMark = [0xd0, 0xcf, 0x11, 0xe0];

parentPort?.postMessage(await readTable(Buffer.from(bytes)));

async function readTable(content: Buffer): Promise<ReadAnswer> {
  const table = await (isSpreadsheet(content) ? readSpreadsheet(content) : readTextFile(content));
  if ('problem' in table) return table;
  // Titles and headings are rows as well.
  if (table.rows.length > limits.rows + 50) return { problem: 'rows' };
  return table.rows.some(({ cells }) => cells.length > limits.columns) ? { problem: 'columns' } : table;
}

async function readSpreadsheet(content: Buffer): Promise<ReadAnswer> {
  try {
    const openDocument = startsWith(content, zipMark) ? await checkZip(content, limits.unpacked) : '';
    const book = new Workbook(isMarkup(content) ? decodeText(content) : content, openDocument);
    const sheets = book.sheets.map(({ name, hidden }) => ({ name, hidden }));
    const sheetIndex = choice.sheet ?? null;
    if (sheetIndex !== null && !sheets[sheetIndex]) return { problem: 'sheet' };
    // Without a choice: the first visible sheet with more than a title, otherwise a hidden one.
    const order = sheets
      .map((_, index) => index)
      .toSorted((a, b) => Number(sheets[a]?.hidden) - Number(sheets[b]?.hidden));
    let table: Table | null = null;
    for (const index of sheetIndex === null ? order : [sheetIndex]) {
      const rows = book.rows(index, { rows: MAX_ROWS, columns: limits.columns }).filter(hasContent);
      if (!table || rows.length > table.rows.length)
        table = { rows, encoding: null, delimiter: null, sheets, sheet: index };
      if (rows.length > 1) break;
    }
    return table ?? { problem: 'empty' };
  } catch (error) {
    if (error instanceof TooLargeSheet) return { problem: error.kind };
    if (error instanceof TooLargeUnpacked) return { problem: 'unpacked' };
    return { problem: Error.isError(error) && /password|encrypt/i.test(error.message) ? 'password' : 'spreadsheet' };
  }
}

function isSpreadsheet(content: Buffer): boolean {
  return startsWith(content, zipMark) || startsWith(content, compoundMark) || isMarkup(content);
}

function startsWith(content: Buffer, mark: readonly number[]): boolean {
  return content.subarray(0, mark.length).equals(Buffer.from(mark));
}

/** Whether a file is a web page or XML saved as .xls. */
function isMarkup(content: Buffer): boolean {
  return /^\s*<(?:\?xml|!doctype|html|head|meta|table)[\s>]/i.test(decodeText(content.subarray(0, 200)));
}

function readTextFile(content: Buffer): ReadAnswer {
  try {
    return { ...readText(content, choice, MAX_ROWS), sheets: [], sheet: 0 };
  } catch (error) {
    if (error instanceof NotText) return { problem: 'neither' };
    if (error instanceof OpenQuote) return { problem: 'quote', line: error.line };
    throw error;
  }
}

function hasContent({ cells }: TableRow): boolean {
  return cells.some((cell) => cell !== null && cell !== '');
}
