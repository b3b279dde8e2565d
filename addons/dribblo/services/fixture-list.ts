import { type DateReading, dayOrderIn, isCellError, readDate, readTime, type Sheet, textOfCell } from '@pergola/web';
import { fold } from 'pergola';
import { mark } from '../texts.ts';

/** Maximum number of matches per file. */
const MOST_FIXTURES = 2_000;

/** A line of a fixture list, with names instead of records. */
export interface Fixture {
  /** Line number in the file. */
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

/** Error in a line; `params` fill the placeholders of the text. */
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

/** Accepted headings per column, as used by leagues and clubs in several countries, folded. */
const headings: Readonly<Record<Column, readonly string[]>> = {
  mnbr: [
    ...['mnbr', 'number', 'numero', 'no', 'n°', 'match', 'numero de match', 'match number', 'nr', 'nr.'],
    ...['spielnr', 'spielnr.', 'spiel-nr.', 'spielnummer', 'spielkennung', 'wedstrijdnummer', 'wedstrijd', 'partido'],
  ],
  day: ['date', 'day', 'jour', 'datum', 'fecha', 'data'],
  time: ['time', 'heure', 'kick-off', 'horaire', 'uhrzeit', 'zeit', 'anstoss', 'tijd', 'aanvang', 'hora', 'ora'],
  receiver: [
    'receiver',
    'home',
    'home team',
    'domicile',
    'receveur',
    'recevant',
    'equipe recevante',
    'equipe domicile',
    ...['heim', 'heimmannschaft', 'heimverein', 'heimteam', 'thuis', 'thuisteam', 'thuisploeg', 'local', 'casa'],
  ],
  visitor: [
    ...['visitor', 'away', 'away team', 'visitors', 'visiteur', 'visiteurs', 'exterieur', 'equipe visiteuse'],
    ...['gast', 'gaste', 'gastmannschaft', 'gastverein', 'gastteam', 'uit', 'uitteam', 'bezoekers', 'visitante'],
    ...['ospite', 'ospiti', 'trasferta'],
  ],
  competition: ['competition', 'championnat', 'league', 'wettbewerb', 'liga', 'staffel', 'competitie', 'competicion'],
  phase: [
    ...['phase', 'compet_phase', 'journee', 'matchday', 'round', 'tour', 'spieltag', 'runde', 'speelronde'],
    ...['jornada', 'giornata'],
  ],
  venue: [
    ...['venue', 'ground', 'lieu', 'terrain', 'stade', 'ort', 'platz', 'spielort', 'spielstatte', 'sportplatz'],
    ...['stadion', 'terrein', 'veld', 'campo', 'estadio', 'stadio'],
  ],
};
/** Errors for missing required columns. */
const missingColumnErrors = {
  day: mark('There’s no date column. Name it one of: {headings}.'),
  time: mark('There’s no time column. Name it one of: {headings}.'),
  receiver: mark('There’s no home team column. Name it one of: {headings}.'),
  visitor: mark('There’s no away team column. Name it one of: {headings}.'),
} as const;
const requiredColumns = Object.keys(missingColumnErrors) as (keyof typeof missingColumnErrors)[];

/** Whether a text is a column heading of fixture lists. */
export function isFixtureHeading(text: string): boolean {
  return columnsOf([text]).size > 0;
}

/**
 * Parses the fixtures in a file, with errors by line. `dayFirst` resolves dates like 03/04/2027; if null, it is inferred from other dates
 * in the file.
 */
export function readFixtures({ headers, rows, lines, source }: Sheet, dayFirst: boolean | null): ReadFixtures {
  const columns = columnsOf(headers);
  const missing = requiredColumns.filter((name) => !columns.has(name));
  if (missing.length > 0) {
    const line = source.headerRow;
    const errors = missing.map((name) => ({
      line,
      text: missingColumnErrors[name],
      params: { headings: headings[name].join(', ') },
    }));
    return { fixtures: [], errors };
  }
  if (rows.length > MOST_FIXTURES)
    return failed(MOST_FIXTURES + 2, mark('Import up to {most} matches at a time.'), { most: MOST_FIXTURES });
  const days = rows.map((row) => row[columns.get('day') ?? -1] ?? null);
  const dates = days.map((cell) => readDate(textOfCell(cell)));
  const order = dayFirst ?? dayOrderIn(days);
  const errors: LineError[] = [];
  const fixtures = rows.map((row, index) => {
    const line = lines[index] ?? 0;
    const errorCell = row.find(isCellError);
    if (errorCell)
      errors.push({ line, text: mark('A cell contains an error: “{value}”.'), params: { value: errorCell.error } });
    return readLine({ line, cells: row.map(textOfCell), date: dates[index] ?? null, order }, columns, errors);
  });
  return { fixtures, errors: [...errors, ...duplicateErrors(fixtures)] };
}

function columnsOf(head: readonly string[]): Map<Column, number> {
  const columnIndexes = new Map<Column, number>();
  for (const [index, cell] of head.entries()) {
    const name = fold(cell).trim();
    for (const [column, names] of Object.entries(headings) as [Column, readonly string[]][]) {
      if (names.includes(name) && !columnIndexes.has(column)) columnIndexes.set(column, index);
    }
  }
  return columnIndexes;
}

interface FixtureLine {
  readonly line: number;
  readonly cells: readonly string[];
  readonly date: DateReading | null;
  /** Whether days precede months; null if unknown. */
  readonly order: boolean | null;
}

function readLine(
  { line, cells, date, order }: FixtureLine,
  columns: ReadonlyMap<Column, number>,
  errors: LineError[],
): Fixture {
  const cell = (name: Column): string => cells[columns.get(name) ?? -1] ?? '';
  const addError = (text: string, params: LineError['params'] = {}): void => void errors.push({ line, text, params });
  const [first = null, second] = date?.days ?? [];
  const day = second !== undefined && order === false ? second : first;
  const time = cell('time') === '' ? (date?.time ?? null) : readTime(cell('time'));
  const [receiver, visitor, number] = [cell('receiver'), cell('visitor'), cell('mnbr')];
  if (day === null)
    addError(mark('“{value}” isn’t a valid date. Use 21/11/2026 or 2026-11-21.'), { value: cell('day').slice(0, 40) });
  if (second !== undefined && order === null)
    addError(mark('“{value}” could be two dates. Choose the date format below.'), {
      value: cell('day').slice(0, 40),
    });
  if (time === null)
    addError(mark('“{value}” isn’t a valid time. Use 15:30 or 15h30.'), { value: cell('time').slice(0, 40) });
  if (receiver === '') addError(mark('Enter the home team.'));
  if (visitor === '') addError(mark('Enter the away team.'));
  if (receiver !== '' && fold(receiver) === fold(visitor)) addError(mark('A team can’t play against itself.'));
  const mnbr = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
  if (number !== '' && mnbr === null)
    addError(mark('“{value}” isn’t a valid match number.'), { value: number.slice(0, 40) });
  const long = (['receiver', 'visitor', 'competition', 'phase', 'venue'] as const).find(
    (name) => cell(name).length > 80,
  );
  if (long) addError(mark('“{value}…” is too long.'), { value: cell(long).slice(0, 40) });
  return {
    line,
    mnbr,
    day: day ?? '',
    time: time?.slice(0, 5) ?? '',
    receiver,
    visitor,
    competition: cell('competition'),
    phase: cell('phase'),
    venue: cell('venue'),
  };
}

function duplicateErrors(fixtures: readonly Fixture[]): LineError[] {
  const seen = new Map<number, number>();
  return fixtures.flatMap(({ line, mnbr }) => {
    if (mnbr === null) return [];
    const first = seen.get(mnbr);
    if (first === undefined) {
      seen.set(mnbr, line);
      return [];
    }
    return [{ line, text: mark('Match number {mnbr} is already on line {first}.'), params: { mnbr, first } }];
  });
}

function failed(line: number, text: string, params: LineError['params'] = {}): ReadFixtures {
  return { fixtures: [], errors: [{ line, text, params }] };
}
