import { Worker } from 'node:worker_threads';
import { InvalidInput, service, Unavailable } from 'pergola';
import { Semaphore } from 'pergola/kernel';
import { type Cell, type SourceChoice, type Table, textOf } from './table.ts';

/** A parsed file: headings and the rows below. */
export interface Sheet {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Row numbers in the file. */
  readonly lines: readonly number[];
  readonly source: FileSource;
}

/** How a file was read. */
export interface FileSource extends Pick<Table, 'encoding' | 'delimiter' | 'sheets' | 'sheet'> {
  readonly headerRow: number;
  /** First rows, to select the headings from. */
  readonly top: readonly { readonly line: number; readonly text: string }[];
}

export const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ROWS = 10_000;
const MAX_COLUMNS = 200;
/** Limits for unpacking a spreadsheet, because a small file can contain gigabytes. */
const MAX_UNPACKED = 120 * 1024 * 1024;
const MAX_MS = 20_000;
const MAX_MEMORY_MB = 700;

/** Task of the worker thread. */
export interface ReadTask {
  readonly bytes: Uint8Array;
  readonly limits: { readonly rows: number; readonly columns: number; readonly unpacked: number };
  readonly choice: SourceChoice;
}

type Problem = 'empty' | 'sheet' | 'rows' | 'columns' | 'unpacked' | 'password' | 'spreadsheet' | 'neither' | 'quote';
/** The parsed file or its problem. */
export type ReadAnswer = Table | { readonly problem: Problem; readonly line?: number };

const MAX_WAITING = 10;

/** Reads files for imports one after another, because each may need much memory. */
export class FileReader extends service('web.file_reader') {
  readonly #turns = new Semaphore(1);

  /**
   * Reads a CSV, XLSX, XLS or ODS file in a separate thread. `isHeading` returns whether a text names a field, which helps to find the
   * headings below a title. Skips empty rows.
   *
   * @throws InvalidInput for files of another type, or that are empty or too large
   */
  async read(
    content: Uint8Array,
    choice: SourceChoice = {},
    isHeading: (text: string) => boolean = () => false,
  ): Promise<Sheet> {
    if (this.#turns.waiting >= MAX_WAITING) throw busy();
    const table = await this.#turns.run(() => readFile(content, choice));
    return sheetOf(table, choice.headerRow ?? headerRow(table, isHeading));
  }
}

const TOP_ROWS = 20;
const TOP_TEXT = 100;

function sheetOf({ rows, encoding, delimiter, sheets, sheet }: Table, headerLine: number): Sheet {
  const head = rows.find(({ line }) => line === headerLine);
  const body = rows.filter(({ line }) => line > headerLine);
  if (!head || body.length === 0) throw refusal('empty', 0);
  if (body.length > MAX_ROWS) throw refusal('rows', 0);
  const top = rows.slice(0, TOP_ROWS).map(({ line, cells }) => ({
    line,
    text: cells.map(textOf).filter(Boolean).join(' · ').slice(0, TOP_TEXT),
  }));
  // Cells to the right of the headings are shown in unnamed columns.
  const width = Math.max(
    head.cells.length,
    ...body.map(({ cells }) => cells.findLastIndex((cell) => textOf(cell) !== '') + 1),
  );
  return {
    headers: Array.from({ length: width }, (_, index) => textOf(head.cells[index] ?? null).replace(/\s+/g, ' ')),
    rows: body.map(({ cells }) => cells),
    lines: body.map(({ line }) => line),
    source: { encoding, delimiter, sheets, sheet, headerRow: headerLine, top },
  };
}

/** Returns the index of the heading row: the one that names most fields, otherwise the first that isn't a title. */
function headerRow({ rows }: Table, isHeading: (text: string) => boolean): number {
  const candidates = rows.slice(0, TOP_ROWS).map(({ line, cells }) => {
    const texts = cells.map(textOf).filter(Boolean);
    const names = texts.filter(isHeading).length;
    return { line, width: texts.length, names: names * 2 >= texts.length ? names : 0 };
  });
  const widest = Math.max(0, ...candidates.map(({ width }) => width));
  const [best] = candidates.toSorted((a, b) => b.names - a.names);
  const heading =
    best && best.names > 0 ? best : candidates.find(({ width }) => width >= Math.min(2, widest) && width * 2 >= widest);
  return heading?.line ?? 1;
}

function busy(): Unavailable {
  return new Unavailable('Too many files are being read right now. Try again in a minute.', {
    code: 'web.import_busy',
    retryAfter: 30,
  });
}

async function readFile(content: Uint8Array, choice: SourceChoice): Promise<Table> {
  if (content.length > MAX_BYTES) throw tooLargeFile();
  const limits = { rows: MAX_ROWS, columns: MAX_COLUMNS, unpacked: MAX_UNPACKED };
  const answer = await inThread({ bytes: content, limits, choice });
  if ('problem' in answer) throw refusal(answer.problem, answer.line ?? 0);
  return answer;
}

/** Files that exceed the memory or time limit are treated as too large. */
function inThread(task: ReadTask): Promise<ReadAnswer> {
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    workerData: task,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    // The spreadsheet reader prints unknown formats.
    stdout: true,
    stderr: true,
  });
  return new Promise<ReadAnswer>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ problem: 'unpacked' }), MAX_MS);
    worker.once('message', resolve);
    worker.once('error', (error) =>
      'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ problem: 'unpacked' }) : reject(error),
    );
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('A spreadsheet could not be read: its thread ended.'));
    });
  }).finally(() => worker.terminate());
}

function tooLargeFile(): InvalidInput {
  return new InvalidInput('This file is too large. The limit is {size} MB.', {
    code: 'web.import_too_large',
    params: { size: MAX_BYTES / 1024 / 1024 },
  });
}

function refusal(problem: Problem, line: number): InvalidInput {
  switch (problem) {
    case 'empty':
      return new InvalidInput('Nothing to import in this file. It needs a header row with data below it.', {
        code: 'web.import_empty',
      });
    case 'sheet':
      return new InvalidInput('This file doesn’t have that sheet. Choose another one.', { code: 'web.import_sheet' });
    case 'rows':
      return new InvalidInput('This file has too many lines. Import at most {most} at a time.', {
        code: 'web.import_too_many',
        params: { most: MAX_ROWS },
      });
    case 'columns':
      return new InvalidInput('This file has too many columns. The limit is {most}.', {
        code: 'web.import_too_wide',
        params: { most: MAX_COLUMNS },
      });
    case 'unpacked':
      return new InvalidInput('This file is too large when unpacked. Split it and try again.', {
        code: 'web.import_too_large',
      });
    case 'password':
      return new InvalidInput('This spreadsheet is protected by a password. Save a copy without one and try again.', {
        code: 'web.import_unreadable',
      });
    case 'spreadsheet':
      return new InvalidInput(
        'This spreadsheet can’t be read. Save it as .xlsx or .csv in your spreadsheet program and try again.',
        { code: 'web.import_unreadable' },
      );
    case 'neither':
      return new InvalidInput('This file can’t be imported. Choose a .csv, .xlsx, .xls or .ods file.', {
        code: 'web.import_unreadable',
      });
    case 'quote':
      return new InvalidInput(
        'The text that begins with a quotation mark in line {line} doesn’t end. Add the missing quotation mark and try again.',
        { code: 'web.import_unreadable', params: { line } },
      );
  }
}
