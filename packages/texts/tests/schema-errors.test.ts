import { z } from 'zod';
import { fieldErrors, friendlyErrors } from '../schema-errors.ts';

const fill = (text: string, params: Readonly<Record<string, string | number>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));

/** Our error message for a value that doesn't match a schema. */
function textFor(schema: z.ZodType, value: unknown): string | undefined {
  const parsed = z.object({ field: schema }).safeParse({ field: value }, { error: friendlyErrors(fill) });
  return parsed.success ? undefined : fieldErrors(parsed.error, fill).field;
}

test.each<[schema: z.ZodType, value: unknown, text: string]>([
  [z.coerce.number(), undefined, 'Enter a number.'],
  [z.number(), 'x', 'Enter a number.'],
  [z.number(), undefined, 'Fill in this field.'],
  [z.number().int(), 1.5, 'Enter a whole number.'],
  [z.number().int(), 1e20, 'This number is too large.'],
  [z.number().int(), -1e20, 'This number is too small.'],
  [z.number().positive(), 0, 'Enter more than 0.'],
  [z.number().min(2), 1, 'Enter 2 or more.'],
  [z.number().max(2), 3, 'Enter 2 or less.'],
  [z.number().lt(2), 3, 'Enter less than 2.'],
  [z.number().multipleOf(5), 3, 'Enter a multiple of 5.'],
  [z.string(), 1, 'Enter text.'],
  [z.string().min(1), '', 'Fill in this field.'],
  [z.string().min(3), 'a', 'Enter at least 3 characters.'],
  [z.string().max(1), 'ab', 'Enter at most one character.'],
  [z.string().max(2), 'abc', 'Enter at most 2 characters.'],
  [z.email(), 'a', 'Enter a valid email address.'],
  [z.url(), 'a', 'Enter a web address, such as https://example.org.'],
  [z.string().regex(/^x/), 'a', 'This isn’t in the right format.'],
  [z.boolean(), 'a', 'Choose yes or no.'],
  [z.stringbool(), 'a', 'Choose one of: true, 1, yes, on, y, enabled, false, 0, no, off, n, disabled.'],
  [z.enum(['on', 'off']), 'a', 'Choose one of: on, off.'],
  [z.array(z.string()), 'a', 'Expected a list.'],
  [z.array(z.string()).min(1), [], 'Choose at least 1.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'Choose at most 1.'],
  [z.date(), 'a', 'Enter a date.'],
  [z.union([z.number(), z.null()]), 'a', 'This value isn’t valid here.'],
  [z.strictObject({}), { a: 1 }, 'Unknown names: a.'],
  [z.object({}), 'a', 'This value isn’t valid here.'],
])('%# is told in words of ours', (schema, value, text) => {
  expect(textFor(schema, value)).toBe(text);
});

test('a text of the schema itself comes first', () => {
  expect(textFor(z.number('A week is a number.'), 'x')).toBe('A week is a number.');
});
