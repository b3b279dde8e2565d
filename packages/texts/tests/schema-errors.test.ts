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
  [z.coerce.number(), undefined, 'Please enter a number.'],
  [z.number(), 'x', 'Please enter a number.'],
  [z.number(), undefined, 'Please fill in this field.'],
  [z.number().int(), 1.5, 'Please enter a whole number.'],
  [z.number().int(), 1e20, 'This number is too large.'],
  [z.number().int(), -1e20, 'This number is too small.'],
  [z.number().positive(), 0, 'Please enter more than 0.'],
  [z.number().min(2), 1, 'Please enter 2 or more.'],
  [z.number().max(2), 3, 'Please enter 2 or less.'],
  [z.number().lt(2), 3, 'Please enter less than 2.'],
  [z.number().multipleOf(5), 3, 'Please enter a multiple of 5.'],
  [z.string(), 1, 'Please enter a text.'],
  [z.string().min(1), '', 'Please fill in this field.'],
  [z.string().min(3), 'a', 'Please enter at least 3 characters.'],
  [z.string().max(1), 'ab', 'Please enter at most 1 characters.'],
  [z.email(), 'a', 'This is not a valid e-mail address.'],
  [z.url(), 'a', 'Please enter a web address, such as https://example.org.'],
  [z.string().regex(/^x/), 'a', 'This isn’t written as it should be.'],
  [z.boolean(), 'a', 'Please choose yes or no.'],
  [z.stringbool(), 'a', 'Please choose one of: true, 1, yes, on, y, enabled, false, 0, no, off, n, disabled.'],
  [z.enum(['on', 'off']), 'a', 'Please choose one of: on, off.'],
  [z.array(z.string()), 'a', 'A list is needed here.'],
  [z.array(z.string()).min(1), [], 'Please choose at least 1.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'Please choose at most 1.'],
  [z.date(), 'a', 'Please enter a date.'],
  [z.union([z.number(), z.null()]), 'a', 'This value isn’t valid here.'],
  [z.strictObject({}), { a: 1 }, 'These names are unknown here: a.'],
  [z.object({}), 'a', 'This value isn’t valid here.'],
])('%# is told in words of ours', (schema, value, text) => {
  expect(textFor(schema, value)).toBe(text);
});

test('a text of the schema itself comes first', () => {
  expect(textFor(z.number('A week is a number.'), 'x')).toBe('A week is a number.');
});
