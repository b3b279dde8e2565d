import { Worker } from 'node:worker_threads';
import { InvalidInput, service, Unavailable } from '#core';
import { Semaphore } from '#core/kernel';

/** A cell as it was read: text as it stands, numbers and dates of spreadsheets as such. */
export type Cell = string | number | boolean | Date | null;

export interface Sheet {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many lines there are, where only the first of them were asked for. */
  readonly count: number;
}

export const MOST_BYTES = 8 * 1024 * 1024;
const MOST_ROWS = 10_000;
const MOST_COLUMNS = 200;
/** What a spreadsheet may hold once it is unpacked; a small file can be made to hold gigabytes. */
const MOST_UNPACKED = 120 * 1024 * 1024;
const MOST_MS = 20_000;
const MOST_MEMORY_MB = 700;

/** What a thread is to read. */
export interface ReadTask {
  readonly bytes: Uint8Array;
  readonly limits: { readonly rows: number; readonly columns: number; readonly unpacked: number };
  /** So many lines are answered. */
  readonly first: number;
}

type Problem = 'empty' | 'rows' | 'columns' | 'unpacked' | 'spreadsheet' | 'neither' | 'line';
/** The file, or what is wrong with it. */
export type ReadAnswer = Sheet | { readonly problem: Problem; readonly line?: number };

const MOST_WAITING = 10;

/** Reads files for imports, one after the other: each may take much memory. */
export class FileReader extends service('web.file_reader') {
  readonly #turns = new Semaphore(1);

  /** See {@link readFile}. */
  async read(content: Uint8Array, first?: number): Promise<Sheet> {
    if (this.#turns.waiting >= MOST_WAITING) throw busy();
    return this.#turns.run(() => readFile(content, first));
  }
}

function busy(): Unavailable {
  return new Unavailable('Many files are being read at the moment. Please try again in a minute.', {
    code: 'web.import_busy',
    retryAfter: 30,
  });
}

/**
 * Reads a CSV or XLSX file, in a thread of its own. The first line says what the columns are; empty lines are left out. `first`: how many lines are
 * wanted, if not all.
 *
 * @throws InvalidInput for a file that is neither, empty, or too large.
 */
async function readFile(content: Uint8Array, first: number = MOST_ROWS): Promise<Sheet> {
  if (content.length > MOST_BYTES) throw tooLargeFile();
  const limits = { rows: MOST_ROWS, columns: MOST_COLUMNS, unpacked: MOST_UNPACKED };
  const answer = await inThread({ bytes: content, limits, first });
  if ('problem' in answer) throw refusal(answer.problem, answer.line ?? 0);
  return answer;
}

/** What takes more memory or time than a file may is as good as too large. */
function inThread(task: ReadTask): Promise<ReadAnswer> {
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    workerData: task,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  return new Promise<ReadAnswer>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ problem: 'unpacked' }), MOST_MS);
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
  return new InvalidInput('This file is too large: at most {size} MB.', {
    code: 'web.import_too_large',
    params: { size: MOST_BYTES / 1024 / 1024 },
  });
}

function refusal(problem: Problem, line: number): InvalidInput {
  switch (problem) {
    case 'empty':
      return new InvalidInput(
        'There is nothing to import in this file: it needs a line of headings and lines below it.',
        { code: 'web.import_empty' },
      );
    case 'rows':
      return new InvalidInput('This file has too many lines: at most {most} at once.', {
        code: 'web.import_too_many',
        params: { most: MOST_ROWS },
      });
    case 'columns':
      return new InvalidInput('This file has too many columns: at most {most}.', {
        code: 'web.import_too_wide',
        params: { most: MOST_COLUMNS },
      });
    case 'unpacked':
      return new InvalidInput('This file is too large once it is unpacked.', { code: 'web.import_too_large' });
    case 'spreadsheet':
      return new InvalidInput('This spreadsheet cannot be read. Save it as .xlsx or .csv once more.', {
        code: 'web.import_unreadable',
      });
    case 'neither':
      return new InvalidInput('This is neither a .csv nor an .xlsx file.', { code: 'web.import_unreadable' });
    case 'line':
      return new InvalidInput('This file cannot be read: line {line} does not fit.', {
        code: 'web.import_unreadable',
        params: { line },
      });
  }
}
