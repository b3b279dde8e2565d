import { z } from 'zod';
import { closest, iconNames } from '../base/index.ts';

// Building blocks for the shapes of contribution points.

/** A non-empty text. */
export const text = z.string().trim().min(1);

/** An id of something an addon registers. */
export const id = z
  .string()
  .regex(/^[\w.-]+$/, 'isn’t a valid ID; use letters, digits, _ and -, for example "forum.moderator"');

/** Name of a Bootstrap icon. */
export const iconName = z.string().refine((name) => iconNames().has(name), {
  error: ({ input }) => {
    const suggestion = closest(String(input), iconNames());
    return `“${input}” is no Bootstrap icon${suggestion === null ? '' : `; the nearest is “${suggestion}”`}`;
  },
});

/** A function. */
export const callable = z.custom((value) => typeof value === 'function', 'must be a function');

/** An object created by a certain function: `shaped('a job', '`job(…)`', { name: id })`. */
export function shaped(kind: string, factory: string, shape: z.ZodRawShape): z.ZodType {
  return z.looseObject(shape, `must be made by ${factory} (${kind})`);
}
