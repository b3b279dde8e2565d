import { parse } from 'csv-parse/sync';
import { fold } from '#core';
import { t } from './texts.ts';

/** Most lines of one file. */
const MOST_FIXTURES = 2_000;

/** A line of a fixture list, as it is written: names, not yet records. */
export interface Fixture {
  /** In the file, the heading being line 1. */
  readonly line: number;
  readonly mnbr: number | null;
  readonly day: string;
  readonly time: string;
  readonly receiver: string;
  readonly visitor: string;
  readonly competition: string;
  readonly phase: string;
  readonly venue: string;
}

/** What is wrong with a line; `params` fill the text. */
export interface LineError {
  readonly line: number;
  readonly text: string;
  readonly params: Readonly<Record<string, string | number>>;
}

export interface ReadFixtures {
  readonly fixtures: readonly Fixture[];
  readonly errors: readonly LineError[];
}

type Column = Exclude<keyof Fixture, 'line'>;

/** Headings by column, as leagues and clubs write them, folded. */
const headings: Readonly<Record<Column, readonly string[]>> = {
  mnbr: ['mnbr', 'number', 'numero', 'no', 'n°', 'match', 'numero de match'],
  day: ['date', 'day', 'jour'],
  time: ['time', 'heure', 'kick-off', 'horaire'],
  receiver: [
    'receiver',
    'home',
    'home team',
    'domicile',
    'receveur',
    'recevant',
    'equipe recevante',
    'equipe domicile',
  ],
  visitor: ['visitor', 'away', 'away team', 'visitors', 'visiteur', 'visiteurs', 'exterieur', 'equipe visiteuse'],
  competition: ['competition', 'championnat', 'league'],
  phase: ['phase', 'compet_phase', 'journee', 'matchday', 'round', 'tour'],
  venue: ['venue', 'ground', 'lieu', 'terrain', 'stade'],
};
const needed: readonly Column[] = ['day', 'time', 'receiver', 'visitor'];

/** Text of a file as spreadsheets save it: UTF-8, with or without its mark, else Windows-1252. */
export function textOfFile(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}

/** The fixtures in a CSV text, with everything that is wrong with it, line by line. */
export function readFixtures(text: string): ReadFixtures {
  const plain = text.replace(/^\uFEFF/, '');
  // A workbook of a spreadsheet, a picture: no line of it would mean anything.
  if (plain.includes('\0')) return failed(1, t('This is no text file. Save the list as CSV first.'));
  const rows = recordsOf(plain);
  if (typeof rows === 'string') return failed(1, t('The file cannot be read as CSV: {problem}'), { problem: rows });
  const [head, ...body] = rows;
  if (!head) return failed(1, t('The file is empty.'));
  const columns = columnsOf(head.cells);
  const missing = needed.filter((name) => !columns.has(name));
  if (missing.length > 0) {
    return failed(1, t('These columns are missing: {columns}.'), {
      columns: missing.map((name) => headings[name][0]).join(', '),
    });
  }
  if (body.length === 0) return failed(1, t('There is no match in the file.'));
  if (body.length > MOST_FIXTURES)
    return failed(MOST_FIXTURES + 2, t('At most {most} matches at a time.'), { most: MOST_FIXTURES });
  const errors: LineError[] = [];
  const fixtures = body.map(({ cells, line }) => readLine(cells, line, columns, errors));
  return { fixtures, errors: [...errors, ...doubles(fixtures)] };
}

interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

function recordsOf(text: string): CsvRow[] | string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const delimiter = [';', ',', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ';';
  try {
    const rows = parse(text, {
      delimiter,
      info: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      relax_column_count: true,
      max_record_size: 10_000,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => ({ cells: record, line: info.lines }));
  } catch (error) {
    return Error.isError(error) ? error.message : String(error);
  }
}

function columnsOf(head: readonly string[]): Map<Column, number> {
  const found = new Map<Column, number>();
  for (const [index, cell] of head.entries()) {
    const name = fold(cell).trim();
    for (const [column, names] of Object.entries(headings) as [Column, readonly string[]][]) {
      if (names.includes(name) && !found.has(column)) found.set(column, index);
    }
  }
  return found;
}

function readLine(
  cells: readonly string[],
  line: number,
  columns: ReadonlyMap<Column, number>,
  errors: LineError[],
): Fixture {
  const cell = (name: Column): string => cells[columns.get(name) ?? -1] ?? '';
  const wrong = (text: string, params: LineError['params'] = {}): void => void errors.push({ line, text, params });
  const day = readDay(cell('day'));
  const time = readTime(cell('time'));
  const [receiver, visitor, number] = [cell('receiver'), cell('visitor'), cell('mnbr')];
  if (day === null)
    wrong(t('“{value}” is no date. Write 21/11/2026 or 2026-11-21.'), { value: cell('day').slice(0, 40) });
  if (time === null) wrong(t('“{value}” is no time. Write 15:30 or 15h30.'), { value: cell('time').slice(0, 40) });
  if (receiver === '') wrong(t('The home team is missing.'));
  if (visitor === '') wrong(t('The visitors are missing.'));
  if (receiver !== '' && fold(receiver) === fold(visitor)) wrong(t('A team cannot play against itself.'));
  const mnbr = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
  if (number !== '' && mnbr === null) wrong(t('“{value}” is no match number.'), { value: number.slice(0, 40) });
  const long = (['receiver', 'visitor', 'competition', 'phase', 'venue'] as const).find(
    (name) => cell(name).length > 80,
  );
  if (long) wrong(t('“{value}…” is too long.'), { value: cell(long).slice(0, 40) });
  return {
    line,
    mnbr,
    day: day ?? '',
    time: time ?? '',
    receiver,
    visitor,
    competition: cell('competition'),
    phase: cell('phase'),
    venue: cell('venue'),
  };
}

/** `21/11/2026`, `21.11.26`, `2026-11-21` → `2026-11-21`; null for what is no day. */
export function readDay(text: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  const european = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text);
  const [year = '', month = '', day = ''] = iso?.slice(1) ?? european?.slice(1).reverse() ?? [];
  const written = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const known = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(known.getTime()) && known.toISOString().startsWith(written) ? written : null;
}

/** `15:30`, `15h30`, `9h` → `15:30`; null for what is no time. */
export function readTime(text: string): string | null {
  const [, hour = '', minute = ''] = /^(\d{1,2})\s*(?:[:hH.]\s*(\d{2})?)(?::\d{2})?$/.exec(text) ?? [];
  if (hour === '' || Number(hour) > 23 || Number(minute || 0) > 59) return null;
  return `${hour.padStart(2, '0')}:${minute || '00'}`;
}

function doubles(fixtures: readonly Fixture[]): LineError[] {
  const seen = new Map<number, number>();
  return fixtures.flatMap(({ line, mnbr }) => {
    if (mnbr === null) return [];
    const first = seen.get(mnbr);
    if (first === undefined) {
      seen.set(mnbr, line);
      return [];
    }
    return [{ line, text: t('The match number {mnbr} is in line {first} already.'), params: { mnbr, first } }];
  });
}

function failed(line: number, text: string, params: LineError['params'] = {}): ReadFixtures {
  return { fixtures: [], errors: [{ line, text, params }] };
}
