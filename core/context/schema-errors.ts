import { z } from 'zod';
import type { Ctx } from './context.ts';

type Translate = Ctx['t'];
type ErrorMap = NonNullable<NonNullable<Parameters<z.ZodType['safeParse']>[1]>['error']>;

/** Words people understand for what does not fit, in their language. Messages that a schema brings itself come before these. */
export function friendlyErrors(lang: string, t: Translate): ErrorMap {
  const { localeError } = lang.startsWith('fr') ? z.locales.fr() : z.locales.en();
  return (issue) => {
    const { code, input } = issue;
    if (code === 'invalid_type' && (input === undefined || input === null)) return t('Please fill in this field.');
    if (code === 'too_small' && issue.origin === 'string' && input === '') return t('Please fill in this field.');
    if (code === 'invalid_format' && issue.format === 'email') return t('This is not a valid e-mail address.');
    return localeError(issue);
  };
}

/** The first finding of each field, in the reader's language, by the field's path (`lines.0.qty`); the empty name is for the whole. */
export function fieldErrors(error: z.ZodError, t: Translate): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const name = path.map(String).join('.');
    if (!Object.hasOwn(fields, name)) fields[name] = t(message);
  }
  return fields;
}
