import { parentPort, workerData } from 'node:worker_threads';
import { type Info, parse } from 'csv-parse/sync';
import type { Cell, ReadAnswer, ReadTask } from './read-file.ts';
import { TooLargeUnpacked, unpacked } from './unpack.ts';

/*
 * Reads one spreadsheet in a thread of its own, with memory and time of its own, so that one made to take much keeps nobody waiting. Started by
 * `read-file.ts`, which knows the words for what is wrong.
 */
const { bytes, limits, first } = workerData as ReadTask;

void read(Buffer.from(bytes)).then((answer) => parentPort?.postMessage(answer));

async function read(content: Buffer): Promise<ReadAnswer> {
  const isZip = content.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
  const table = isZip ? await readSpreadsheet(content) : readText(content);
  if ('problem' in table) return table;
  const [headers, ...rows] = table.filter((row) => row.some((cell) => cell !== null && cell !== ''));
  if (!headers || rows.length === 0) return { problem: 'empty' };
  if (rows.length > limits.rows) return { problem: 'rows' };
  if (headers.length > limits.columns) return { problem: 'columns' };
  return { headers: headers.map((cell) => String(cell ?? '').trim()), rows: rows.slice(0, first), count: rows.length };
}

type Table = Cell[][] | Extract<ReadAnswer, { problem: string }>;

async function readSpreadsheet(content: Buffer): Promise<Table> {
  try {
    const { readSheet } = await import('read-excel-file/node');
    const plain = unpacked(content, limits.unpacked);
    // Lines without anything in them are common, so many more are let in than count in the end.
    if (countOf(plain, '<row') > limits.rows * 10) return { problem: 'rows' };
    const rows: readonly (readonly unknown[])[] = await readSheet(plain);
    return rows.map((row) => row.map(cellOf));
  } catch (error) {
    return { problem: error instanceof TooLargeUnpacked ? 'unpacked' : 'spreadsheet' };
  }
}

function countOf(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) count += 1;
  return count;
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date || typeof value === 'number' || typeof value === 'boolean') return value;
  return String(value);
}

function readText(content: Buffer): Table {
  const text = decode(content);
  if (text.includes('\0')) return { problem: 'neither' };
  try {
    const parsed: unknown = parse(text, {
      bom: true,
      delimiter: likelyDelimiter(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
      // Lines with nothing in them do not count in the end.
      to: limits.rows * 10,
    });
    return (parsed as string[][]).map((row) => row.map(withoutGuard));
  } catch (error) {
    const line = Error.isError(error) && 'lines' in error ? Number((error as Partial<Info>).lines) : 0;
    return { problem: 'line', line };
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
