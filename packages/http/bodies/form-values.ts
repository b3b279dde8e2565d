import { z } from 'zod';
import { coerced, takesList } from '../routes/query.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import type { FormFields } from './form-body.ts';

/**
 * Fields of a form as its schema expects them: the last value of each (all values if the schema takes a list), with numbers and checkboxes
 * coerced and empty text treated as missing if the schema doesn't accept it. Drops fields the schema doesn't name, unless it accepts any.
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

/** Submitted values for filling the form again: all texts of each field, without secrets. */
export function shownFields(fields: FormFields): FormFields {
  const visibleFields = Object.entries(fields).filter(
    ([name]) => name !== CSRF_FIELD && !/passw|secret|token/i.test(name),
  );
  return Object.fromEntries(visibleFields);
}

/** The last text of each field. */
export function lastOf(fields: FormFields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, sent]) => [name, sent.at(-1) ?? '']));
}

function fieldValue(field: unknown, sent: readonly string[]): unknown {
  if (takesList(field)) return sent;
  const value = coerced(field, sent.at(-1) ?? '');
  return value === '' && field instanceof z.ZodType && refusesEmpty(field) ? undefined : value;
}

/** Empty text in an optional email field counts as missing; a text field that may be empty keeps the empty string. */
function refusesEmpty(field: z.ZodType): boolean {
  try {
    return !field.safeParse('').success && field.safeParse(undefined).success;
  } catch {
    // Schemas that query the database can't be tested like this.
    return false;
  }
}
