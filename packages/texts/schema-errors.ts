import type { z } from 'zod';
import type { Translate } from './texts.ts';

type ErrorMap = NonNullable<NonNullable<Parameters<z.ZodType['safeParse']>[1]>['error']>;
type Issue = Parameters<ErrorMap>[0];

/** Error messages for every kind of invalid input, translated by `t`. Messages of the schema itself take precedence. */
export function friendlyErrors(t: Translate): ErrorMap {
  return (issue) => {
    const { code, input } = issue;
    if (code === 'invalid_type' && (input === undefined || input === null)) return t('Fill in this field.');
    if (code === 'too_small' && issue.origin === 'string' && input === '') return t('Fill in this field.');
    switch (code) {
      case 'invalid_type':
        return wrongType(issue, t);
      case 'too_small':
        return tooSmall(issue, t);
      case 'too_big':
        return tooBig(issue, t);
      case 'not_multiple_of':
        return t('Enter a multiple of {n}.', { n: issue.divisor });
      case 'invalid_value':
        return t('Choose one of: {values}.', { values: issue.values.map(String).join(', ') });
      case 'unrecognized_keys':
        return t('Unknown names: {names}.', { names: issue.keys.join(', ') });
      case 'invalid_format':
        return wrongFormat(issue, t);
      default:
        return t('This value isn’t valid here.');
    }
  };
}

function wrongType({ expected }: Extract<Issue, { code: 'invalid_type' }>, t: Translate): string {
  switch (expected) {
    case 'number':
      return t('Enter a number.');
    case 'int':
      return t('Enter a whole number.');
    case 'string':
      return t('Enter text.');
    case 'boolean':
      return t('Choose yes or no.');
    case 'date':
      return t('Enter a date.');
    case 'array':
      return t('Expected a list.');
    default:
      return t('This value isn’t valid here.');
  }
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>, t: Translate): string {
  const n = String(minimum);
  if (origin === 'string') return t('Enter at least {n} characters.', { n });
  if (origin === 'array' || origin === 'set') return t('Choose at least {n}.', { n });
  if (Number(minimum) <= Number.MIN_SAFE_INTEGER) return t('This number is too small.');
  return inclusive ? t('Enter {n} or more.', { n }) : t('Enter more than {n}.', { n });
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>, t: Translate): string {
  const n = String(maximum);
  if (origin === 'string')
    return maximum === 1 ? t('Enter at most one character.') : t('Enter at most {n} characters.', { n });
  if (origin === 'array' || origin === 'set') return t('Choose at most {n}.', { n });
  if (Number(maximum) >= Number.MAX_SAFE_INTEGER) return t('This number is too large.');
  return inclusive ? t('Enter {n} or less.', { n }) : t('Enter less than {n}.', { n });
}

function wrongFormat({ format }: Extract<Issue, { code: 'invalid_format' }>, t: Translate): string {
  if (format === 'email') return t('Enter a valid email address.');
  if (format === 'url') return t('Enter a web address, such as https://example.org.');
  return t('This isn’t in the right format.');
}

/** Returns the first error of each field, translated, by field path (`lines.0.qty`); an empty path is the whole input. */
export function fieldErrors(error: z.ZodError, t: Translate): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const name = path.map(String).join('.');
    if (!Object.hasOwn(fields, name)) fields[name] = t(message);
  }
  return fields;
}
