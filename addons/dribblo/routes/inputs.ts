import { z } from 'pergola';
import { mark } from '../texts.ts';

const isNothing = (value: unknown): boolean =>
  value === false || value === null || value === undefined || value === '' || value === 'false';

/** Parses a positive integer, given as a number or an attribute text; null if it is invalid. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[1-9]\d{0,14}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** Makes a call parameter optional. */
function optional<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value) => value ?? null, schema);
}

/** Record ID in a URL. */
export const recordId = z.coerce.number().int().positive();

/** Record ID in a call. */
export const recordNumber = optional(
  z.unknown().transform((value, { addIssue }): number => {
    const id = numberOf(value);
    if (id !== null) return id;
    addIssue({ code: 'custom', message: mark('Enter a valid record ID.') });
    return z.NEVER;
  }),
);

/** Optional record ID; `false` from Odoo clients becomes null. */
export const recordOrNone = optional(
  z.unknown().transform((value, { addIssue }): number | null => {
    const id = numberOf(value);
    if (id === null && !isNothing(value)) addIssue({ code: 'custom', message: mark('Enter a valid record ID.') });
    return id;
  }),
);

/** Maximum number of records per call. */
const MAX_RECORDS = 100;

/** Record IDs as a list of numbers or a comma-separated text; defaults to an empty list. */
export const recordList = optional(
  z.unknown().transform((value, { addIssue }): number[] => {
    if (isNothing(value)) return [];
    const parts: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(',').filter((part) => part.trim() !== '')
        : [value];
    const ids = parts.slice(0, MAX_RECORDS + 1).map(numberOf);
    if (ids.length > MAX_RECORDS) addIssue({ code: 'custom', message: mark('Too many records.') });
    if (ids.includes(null))
      addIssue({ code: 'custom', message: mark('Enter a list of numbers, or numbers separated by commas.') });
    return ids.filter((id) => id !== null);
  }),
);

/** A small number with a default, for limits and offsets. */
export function amount(fallback: number, max: number, min = 0) {
  return optional(
    z.unknown().transform((value, { addIssue }): number => {
      if (isNothing(value)) return fallback;
      const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
      if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
      addIssue({ code: 'custom', message: mark('Enter a whole number within the allowed range.') });
      return z.NEVER;
    }),
  );
}
