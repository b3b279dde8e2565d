import { z } from 'zod';
import { closest, iconNames } from '../base/index.ts';

// What the shapes of contribution points are made of.

/** A text with something in it. */
export const text = z.string().trim().min(1);

/** An id of something an addon registers. */
export const id = z
  .string()
  .regex(/^[\w.-]+$/, 'isn’t a valid ID; use letters, digits, _ and -, for example "forum.moderator"');

/** The name of a Bootstrap icon. */
export const iconName = z.string().refine((name) => iconNames().has(name), {
  error: ({ input }) => {
    const near = closest(String(input), iconNames());
    return `“${input}” is no Bootstrap icon${near === null ? '' : `; the nearest is “${near}”`}`;
  },
});

/** A function. */
export const callable = z.custom((value) => typeof value === 'function', 'must be a function');

/** An object that some function makes: `shaped('a job', '`job(…)`', { name: id })`. */
export function shaped(kind: string, made: string, shape: z.ZodRawShape): z.ZodType {
  return z.looseObject(shape, `must be made by ${made} (${kind})`);
}
