import { z } from 'zod';
import { coerced, takesList } from '../routes/query.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import type { FormFields } from './form-body.ts';

/**
 * The fields of a form as its schema wants them: the last value of each (all of them where the schema takes a list), numbers and ticks coerced,
 * an empty text for nothing where the schema takes none. Fields the schema does not name are left out, unless it takes any.
 */
export function formValues(fields: FormFields, schema: z.ZodType): Readonly<Record<string, unknown>> {
  const shape = schema instanceof z.ZodObject ? schema.shape : null;
  const takesAny = !(schema instanceof z.ZodObject) || schema.def.catchall !== undefined;
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, sent] of Object.entries(fields)) {
    const field: unknown = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) values[name] = fieldValue(field, sent);
    else if (takesAny && name !== CSRF_FIELD) values[name] = sent.length > 1 ? sent : sent[0];
  }
  return values;
}

/** What was sent, to fill the form again: all texts of each field, without what must not be shown. */
export function shownFields(fields: FormFields): FormFields {
  const shown = Object.entries(fields).filter(([name]) => name !== CSRF_FIELD && !/passw|secret|token/i.test(name));
  return Object.fromEntries(shown);
}

/** The last text of each. */
export function lastOf(fields: FormFields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, sent]) => [name, sent.at(-1) ?? '']));
}

function fieldValue(field: unknown, sent: readonly string[]): unknown {
  if (takesList(field)) return sent;
  const value = coerced(field, sent.at(-1) ?? '');
  return value === '' && field instanceof z.ZodType && refusesEmpty(field) ? undefined : value;
}

/** An optional e-mail address left empty is none; a text that may be empty stays the empty text. */
function refusesEmpty(field: z.ZodType): boolean {
  try {
    return !field.safeParse('').success && field.safeParse(undefined).success;
  } catch {
    // Schemas that ask the database cannot be tried like this.
    return false;
  }
}
