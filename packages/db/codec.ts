import { InvalidInput } from '@pergola/core';
import { vectorOf, wordsOfVector } from './postgres/vector.ts';
import type { Binding, Codec, ColumnKind, Dialect } from './types.ts';

type Encoder = (value: unknown) => Binding;
type Decoder = (raw: unknown) => unknown;

/** The codec of a dialect; see `Codec`. */
export function codecFor(dialect: Dialect): Codec {
  const encoders: Record<ColumnKind, Encoder> = {
    ...common,
    ...(dialect === 'sqlite' ? sqliteEncoders : postgresEncoders),
  };
  const decoders: Partial<Record<ColumnKind, Decoder>> = dialect === 'sqlite' ? sqliteDecoders : postgresDecoders;
  return {
    dialect,
    encode: (kind, value) => (value === null ? null : encoders[kind](value)),
    decode(kind, raw) {
      const decode = decoders[kind];
      return decode && raw !== null ? decode(raw) : raw;
    },
    decoder(kind) {
      const decode = decoders[kind];
      return decode ? (raw) => (raw === null ? null : decode(raw)) : null;
    },
  };
}

const int32 = 2_147_483_647;

const common = {
  id: (value: unknown) => wholeNumber(value, Number.MAX_SAFE_INTEGER),
  integer: (value: unknown) => wholeNumber(value, int32),
  bigint: (value: unknown) => wholeNumber(value, Number.MAX_SAFE_INTEGER),
  float(value: unknown): number {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw refused('Enter a number.');
  },
  text(value: unknown): string {
    if (typeof value !== 'string') throw refused('Expected text.');
    // PostgreSQL can't store NUL in text, so SQLite rejects it too.
    if (value.includes('\0')) throw refused('The text holds a character that cannot be stored.');
    return value;
  },
  date(value: unknown): string {
    if (typeof value === 'string' && isDay(value)) return value;
    throw refused('This is not a date (YYYY-MM-DD).');
  },
  json(value: unknown): string {
    const text = JSON.stringify(value);
    if (text === undefined) throw refused('Enter a valid JSON value.');
    // jsonb accepts neither NUL nor unpaired surrogates.
    if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(text)) {
      throw refused('The text holds a character that cannot be stored.');
    }
    return text;
  },
};

const sqliteEncoders = {
  words: common.text,
  boolean: (value: unknown) => (truth(value) ? 1 : 0),
  datetime: (value: unknown) => moment(value).getTime(),
};

const postgresEncoders = {
  words: (value: unknown) => vectorOf(common.text(value)),
  boolean: truth,
  datetime: (value: unknown) => moment(value).toISOString(),
};

const json: Decoder = (raw) => (typeof raw === 'string' ? JSON.parse(raw) : raw);

const sqliteDecoders: Partial<Record<ColumnKind, Decoder>> = {
  json,
  boolean: (raw) => raw === 1,
  datetime: (raw) => new Date(Number(raw)),
};

const postgresDecoders: Partial<Record<ColumnKind, Decoder>> = {
  json,
  words: (raw) => wordsOfVector(String(raw)),
};

function wholeNumber(value: unknown, limit: number): number {
  const number = typeof value === 'bigint' && value <= limit && value >= -limit - 1 ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw refused('Enter a whole number.');
  // -2^53 isn't exact; -2^31 is a valid int32.
  if (number > limit || number < -limit - (limit === int32 ? 1 : 0)) throw refused('This number is too large.');
  return number === 0 ? 0 : number;
}

function truth(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw refused('This is neither true nor false.');
}

function moment(value: unknown): Date {
  if (isMoment(value)) return value;
  throw refused('Enter a date and time.');
}

/** Whether a value is a date between the years 1 and 9999, which both databases and ISO texts write the same way. */
export function isMoment(value: unknown): value is Date {
  if (!(value instanceof Date)) return false;
  const year = value.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Whether a text is a valid calendar date, `2026-11-21`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function refused(message: string): InvalidInput {
  return new InvalidInput(message, { code: 'core.bad_value' });
}
