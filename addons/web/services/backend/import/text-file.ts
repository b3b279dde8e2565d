import { CsvError, type Info, parse } from 'csv-parse/sync';
import { errorText, unguarded } from '../formula-guard.ts';
import { detectEncoding } from './encoding.ts';
import { type Cell, type Delimiter, delimiters, type Encoding, type SourceChoice, type TableRow } from './table.ts';

interface TextTable {
  readonly rows: readonly TableRow[];
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
}

/** Control characters that never occur in text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: searches for control characters
const control = /[\0-\x06\x0e-\x19\x1c-\x1f]/;

/** Thrown for a file that isn't text. */
export class NotText extends Error {
  override readonly name = 'NotText';
}

/** Thrown for a file with an unclosed quotation mark. */
export class OpenQuote extends Error {
  override readonly name = 'OpenQuote';
  /** Number of its row, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`an open quotation mark in row ${line}`);
    this.line = line;
  }
}

/**
 * Reads the records of a CSV file, without empty ones.
 *
 * @throws NotText, OpenQuote
 */
export function readText(bytes: Uint8Array, choice: SourceChoice, maxRows: number): TextTable {
  const encoding = choice.encoding ?? detectEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  if (control.test(text)) throw new NotText();
  // Spreadsheets read the delimiter from a first line "sep=;".
  const [line = '', , sign] = /^("?)sep=(.)\1[^\S\r\n]*(?:\r\n|\r|\n)/i.exec(text) ?? [];
  const body = text.slice(line.length);
  const stated = delimiters.find((delimiter) => delimiter === sign);
  const delimiter = choice.delimiter ?? stated ?? likelyDelimiter(body);
  const first = line === '' ? 1 : 2;
  try {
    const rows = records(body, delimiter, maxRows).map(
      (record, index): TableRow => ({
        line: first + index,
        cells: record.map(cellOf),
      }),
    );
    return { rows: rows.filter(({ cells }) => cells.some((cell) => cell !== '')), encoding, delimiter };
  } catch (error) {
    throw error instanceof CsvError ? new OpenQuote(first + Number((error as Partial<Info>).records ?? 0)) : error;
  }
}

/** Decodes a text file in its detected encoding, without the byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

function records(text: string, delimiter: Delimiter, max: number): readonly (readonly string[])[] {
  const parsed: unknown = parse(text, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 1_000_000,
    to: max,
  });
  return parsed as string[][];
}

const SAMPLE_RECORDS = 50;
const SAMPLE_CHARACTERS = 200_000;
/** Ordered by how rarely they occur in texts and numbers. */
const preferred: readonly Delimiter[] = ['\t', ';', '|', ','];

/** Returns the delimiter that produces records of equal width; headings and texts may contain others as well. */
function likelyDelimiter(text: string): Delimiter {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const shares = preferred.map((delimiter) => ({ delimiter, share: evenShare(sample, delimiter) }));
  const [best] = shares.toSorted((a, b) => b.share - a.share);
  return best && best.share > 0 ? best.delimiter : ',';
}

/** Returns the share of records with the most common width, if that is more than one cell. */
function evenShare(sample: string, delimiter: Delimiter): number {
  try {
    const widths = records(sample, delimiter, SAMPLE_RECORDS).flatMap((record) =>
      record.some((cell) => cell !== '') ? [record.length] : [],
    );
    const counts = Map.groupBy(
      widths.filter((width) => width > 1),
      (width) => width,
    );
    const maxCount = Math.max(0, ...[...counts.values()].map(({ length }) => length));
    return maxCount / Math.max(1, widths.length);
  } catch {
    // Quotes are broken or the sample ends within them, so only the first line counts.
    return (/^.*/.exec(sample)?.[0] ?? '').includes(delimiter) ? 0.01 : 0;
  }
}

function cellOf(text: string): Cell {
  const plain = unguarded(text);
  if (plain !== text) return plain;
  // Spreadsheets keep leading zeros of ="01234".
  const quoted = /^="(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return errorText.test(text.trim()) ? { error: text.trim() } : text;
}
