import { plainLines, sanitizeHtml, singleLine } from '@pergola/content';
import { isDay, isMoment } from '@pergola/db';
import type { FileRef } from '@pergola/files';
import { z } from 'zod';
import type { CompiledField } from '../compiled.ts';
import { decimal } from '../decimal.ts';
import type { FieldType } from '../fields.ts';
import { FieldProblem } from './problems.ts';

type Normalizer = (value: unknown, field: CompiledField) => unknown;

/**
 * Checks a value and converts it to the field's stored form. Empty values are null (false for a boolean).
 *
 * Translated texts are passed one language at a time. x2many fields are handled in `commands.ts`.
 *
 * @throws FieldProblem for an invalid value.
 */
export function normalize(field: CompiledField, value: unknown): unknown {
  if (value === null || value === undefined) return field.type === 'boolean' ? false : null;
  const normalizer = normalizers[field.type];
  if (!normalizer) throw new TypeError(`${field.model}.${field.name} keeps no value of its own`);
  const normalized = normalizer(value, field);
  const { parse } = field.declared.custom ?? {};
  return parse && normalized !== null ? parse(normalized) : normalized;
}

/** Whether a normalized value counts as empty for a required field. */
export function isEmpty(field: CompiledField, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return field.type === 'html' ? isBlankHtml(value) : value.trim() === '';
  return false;
}

const defaultSizes: Partial<Record<FieldType, number>> = { char: 255, text: 100_000, html: 1_000_000 };
/** Decimals are stored as whole millionths, exact up to 2^53. */
const largestDecimal = decimal(Number.MAX_SAFE_INTEGER).div(1_000_000);

const normalizers: Partial<Record<FieldType, Normalizer>> = {
  char: (value, field) => sized(field, ownForm(field, singleLine(cleanText(value)))),
  text: (value, field) => sized(field, ownForm(field, plainLines(cleanText(value)))),
  html: (value, field) => {
    const html = cleanText(value);
    // Checked before sanitising, to limit the parser's work.
    sized(field, html);
    return emptyToNull(sanitizeHtml(html, field.options.sanitize ?? 'page'));
  },
  integer: (value, field) => ranged(field, wholeNumber(value)),
  float(value, field) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new FieldProblem('Enter a number.');
    return ranged(field, value === 0 ? 0 : value);
  },
  decimal: (value, field) => exactDecimal(value, field.options.places ?? 6),
  money: (value) => wholeNumber(value),
  boolean(value) {
    if (typeof value !== 'boolean') throw new FieldProblem('Choose yes or no.');
    return value;
  },
  date(value) {
    if (typeof value !== 'string' || !isDay(value)) throw new FieldProblem('Enter a date such as 2026-11-21.');
    return value;
  },
  datetime(value) {
    if (!isMoment(value)) throw new FieldProblem('Enter a date and time.');
    return new Date(value.getTime());
  },
  selection(value, field) {
    if (typeof value === 'string' && field.choices?.has(value)) return value;
    throw new FieldProblem('“{value}” isn’t one of the options.', { value: excerpt(value) });
  },
  json: (value) => plainJson(value),
  binary: (value, field) => fileRef(value, field),
  image(value, field) {
    const file = fileRef(value, field);
    if (!file.mimetype.startsWith('image/')) throw new FieldProblem('Only image files can be uploaded');
    return file;
  },
  many2one: (value) => recordId(value),
};

/** @throws FieldProblem unless the value is a valid record id. */
export function recordId(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new FieldProblem('“{value}” isn’t a record.', { value: excerpt(value) });
}

/** Returns a text that both databases store unchanged: without NUL and lone surrogates. */
function cleanText(value: unknown): string {
  if (typeof value !== 'string') throw new FieldProblem('Expected text.');
  return value.replaceAll('\0', '').toWellFormed();
}

/** Applies the field's own normalization. */
function ownForm({ options }: CompiledField, text: string): string {
  return options.normalize ? options.normalize(text) : text;
}

function sized(field: CompiledField, text: string): string | null {
  const maxSize =
    field.options.size ?? (isOnlyRead(field) ? Number.POSITIVE_INFINITY : (defaultSizes[field.type] ?? 100_000));
  // Only counts characters if there may be fewer than code units.
  if (text.length > maxSize && [...text].length > maxSize) {
    throw maxSize === 1
      ? new FieldProblem('Use at most one character.')
      : new FieldProblem('Use at most {size} characters.', { size: maxSize });
  }
  return emptyToNull(text);
}

/** Whether a value is calculated when read and never stored: one composed of several names may be longer than each of them. */
function isOnlyRead({ compute, column }: CompiledField): boolean {
  return compute !== null && column === null;
}

function emptyToNull(text: string): string | null {
  return text === '' ? null : text;
}

/** Rich text without words, pictures or other visible content. */
function isBlankHtml(html: string): boolean {
  if (/<(img|iframe|video|audio|hr|input|button|svg)\b|data-block=/i.test(html)) return false;
  return html.replace(/<[^<>]*>|&nbsp;|&#160;|\s/gi, '') === '';
}

function wholeNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  if (Number.isInteger(value)) throw new FieldProblem('This number is too large.');
  throw new FieldProblem('Enter a whole number.');
}

function ranged(field: CompiledField, value: number): number {
  const { min, max } = field.options;
  if (min !== undefined && value < min) throw new FieldProblem('Enter {min} or more.', { min });
  if (max !== undefined && value > max) throw new FieldProblem('Enter {max} or less.', { max });
  return value;
}

function exactDecimal(value: unknown, places: number): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new FieldProblem('Enter a number.');
  // Throws InvalidInput for inexact numbers, such as 0.1 + 0.2.
  const exact = decimal(value);
  if (exact.places() > places) {
    throw new FieldProblem('Use at most {places} decimals.', { places });
  }
  if (exact.abs().gt(largestDecimal)) throw new FieldProblem('This number is too large.');
  return exact.toString();
}

function plainJson(value: unknown): unknown {
  const text = jsonText(value);
  if (text === undefined) throw new FieldProblem('Enter a valid JSON value.');
  if (text.length > 5_000_000) throw new FieldProblem('This value is too large.');
  const copy: unknown = JSON.parse(text.toWellFormed());
  return withoutNul(copy);
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Circular, or contains a bigint.
    return undefined;
  }
}

/** Removes characters from texts inside JSON that PostgreSQL rejects: NUL and lone surrogates. */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(withoutNul);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__proto__')
      .map(([name, item]) => [name.replaceAll('\0', '').toWellFormed(), withoutNul(item)]),
  );
}

const fileShape = z
  .object({
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    mimetype: z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,100}$/),
    size: z.number().int().min(0),
    name: z.string().max(255).optional(),
    width: z.number().int().positive().optional(),
    height: z.number().int().positive().optional(),
  })
  .strict();

/** Whether a value has the shape of a file in the filestore. */
export function isFileRef(value: unknown): value is FileRef {
  return fileShape.safeParse(value).success;
}

function fileRef(value: unknown, field: CompiledField): FileRef {
  const parsed = fileShape.safeParse(value);
  if (!parsed.success) throw new FieldProblem('Choose a file uploaded to this site.');
  const maxBytes = field.options.maxBytes;
  if (maxBytes !== undefined && parsed.data.size > maxBytes) {
    throw new FieldProblem('This file is too large. The limit is {size} bytes.', { size: maxBytes });
  }
  return parsed.data;
}

function excerpt(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 60) : typeof value === 'number' ? String(value) : typeof value;
}
