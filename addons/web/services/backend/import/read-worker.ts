import { parentPort, workerData } from 'node:worker_threads';
import type { ReadAnswer, ReadTask } from './read-file.ts';
import type { Table, TableRow } from './table.ts';
import { brokenLine, NotText, readText } from './text-file.ts';
import { TooLargeUnpacked, unpacked } from './unpack.ts';
import { TooLargeSheet, Workbook } from './workbook.ts';

/*
 * Reads one file in a thread of its own, with memory and time of its own, so that one made to take much keeps nobody waiting. Started by `read-file.ts`,
 * which knows the words for what is wrong.
 */
const { bytes, limits, choice } = workerData as ReadTask;
/** Rows without anything in them are common, so many more are read than count in the end. */
const MAX_ROWS = limits.rows * 10;

parentPort?.postMessage(read(Buffer.from(bytes)));

function read(content: Buffer): ReadAnswer {
  const isZip = content.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
  const table = isZip ? readSpreadsheet(content) : readTextFile(content);
  if ('problem' in table) return table;
  // Titles and headings are rows as well.
  if (table.rows.length > limits.rows + 50) return { problem: 'rows' };
  return table.rows.some(({ cells }) => cells.length > limits.columns) ? { problem: 'columns' } : table;
}

function readSpreadsheet(content: Buffer): ReadAnswer {
  try {
    const book = new Workbook(unpacked(content, limits.unpacked));
    const sheets = book.sheets.map(({ name, hidden }) => ({ name, hidden }));
    const chosen = choice.sheet ?? null;
    if (chosen !== null && !sheets[chosen]) return { problem: 'sheet' };
    // Without a choice: the first visible sheet with more than a title, otherwise one that is hidden.
    const order = sheets
      .map((_, index) => index)
      .toSorted((a, b) => Number(sheets[a]?.hidden) - Number(sheets[b]?.hidden));
    let table: Table | null = null;
    for (const index of chosen === null ? order : [chosen]) {
      const part = book.sheets[index];
      if (!part) continue;
      const rows = book.rows(part, { rows: MAX_ROWS, columns: limits.columns }).filter(hasContent);
      if (!table || rows.length > table.rows.length)
        table = { rows, encoding: null, delimiter: null, sheets, sheet: index };
      if (rows.length > 1) break;
    }
    return table ?? { problem: 'empty' };
  } catch (error) {
    if (error instanceof TooLargeSheet) return { problem: error.kind };
    return { problem: error instanceof TooLargeUnpacked ? 'unpacked' : 'spreadsheet' };
  }
}

function readTextFile(content: Buffer): ReadAnswer {
  try {
    return { ...readText(content, choice, MAX_ROWS), sheets: [], sheet: 0 };
  } catch (error) {
    return error instanceof NotText ? { problem: 'neither' } : { problem: 'line', line: brokenLine(error) };
  }
}

function hasContent({ cells }: TableRow): boolean {
  return cells.some((cell) => cell !== null && cell !== '');
}
