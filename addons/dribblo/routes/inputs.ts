import { z } from 'pergola';
import { mark } from '../texts.ts';

const isNothing = (value: unknown): boolean =>
  value === false || value === null || value === undefined || value === '' || value === 'false';

/** A whole number of one and more, as a number or as the text that attributes of pages are; null for anything else. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[1-9]\d{0,14}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** A value that may be left out of a call altogether. */
function optional<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value) => value ?? null, schema);
}

/** The number of a record in an address. */
export const recordId = z.coerce.number().int().positive();

/** The number of a record in a call. */
export const recordNumber = optional(
  z.unknown().transform((value, { addIssue }): number => {
    const id = numberOf(value);
    if (id !== null) return id;
    addIssue({ code: 'custom', message: mark('This is not the number of a record.') });
    return z.NEVER;
  }),
);

/** The same where Odoo's clients write `false` for none; answers null then. */
export const recordOrNone = optional(
  z.unknown().transform((value, { addIssue }): number | null => {
    const id = numberOf(value);
    if (id === null && !isNothing(value))
      addIssue({ code: 'custom', message: mark('This is not the number of a record.') });
    return id;
  }),
);

/** Most records one call names. */
const MOST = 100;

/** Records as a list of numbers or a text with commas; none at all is an empty list. */
export const recordList = optional(
  z.unknown().transform((value, { addIssue }): number[] => {
    if (isNothing(value)) return [];
    const parts: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(',').filter((part) => part.trim() !== '')
        : [value];
    const ids = parts.slice(0, MOST + 1).map(numberOf);
    if (ids.length > MOST) addIssue({ code: 'custom', message: mark('These are too many records.') });
    if (ids.includes(null))
      addIssue({ code: 'custom', message: mark('This is a list of numbers, or a text of numbers with commas.') });
    return ids.filter((id) => id !== null);
  }),
);

/** A small number with what it is when left out: how many matches, how many to skip. */
export function amount(usual: number, most: number, least = 0) {
  return optional(
    z.unknown().transform((value, { addIssue }): number => {
      if (isNothing(value)) return usual;
      const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
      if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
      addIssue({ code: 'custom', message: mark('This is no whole number, or it is too small or too large.') });
      return z.NEVER;
    }),
  );
}
