import { didYouMean } from '@pergola/core';
import { z } from 'zod';

/** Values by name; without `constant` they are known only at render time. Plain data, which the build memory can store. */
export type WrittenValues = readonly { readonly name: string; readonly constant?: unknown }[];

/** An invalid value, and the remedy if there is one. */
export interface ValueFault {
  readonly message: string;
  readonly remedy?: string;
}

/**
 * Checks values against a zod object: names it doesn't have, values of the wrong type and, if `isComplete`, required names that are missing. Returns
 * nothing for other schemas.
 */
export function valueFaults(schema: z.ZodType | undefined, values: WrittenValues, isComplete: boolean): ValueFault[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  const isOpen = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
  const faults: ValueFault[] = [];
  for (const { name, constant } of values) {
    const expected = shape[name];
    if (!expected && !isOpen)
      faults.push({ message: `has no “${name}”.`, remedy: didYouMean(name, Object.keys(shape)) || undefined });
    const parsed = expected && constant !== undefined ? parseNow(expected, constant) : undefined;
    if (parsed?.error)
      faults.push({ message: `is given “${name}”, which doesn't fit: ${parsed.error.issues[0]?.message}.` });
  }
  for (const [name, expected] of isComplete ? Object.entries(shape) : []) {
    if (acceptsNothing(expected) || values.some((value) => value.name === name)) continue;
    faults.push({ message: `needs “${name}”, which is missing.` });
  }
  return faults;
}

/** Names of options that have no default. */
export function withoutDefault(options: z.ZodType): string[] {
  if (!(options instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, z.ZodType>> = options.shape;
  return Object.keys(shape).filter((name) => !acceptsNothing(shape[name] ?? z.unknown()));
}

function acceptsNothing(schema: z.ZodType): boolean {
  return parseNow(schema, undefined)?.success !== false;
}

/** Undefined for async schemas. */
function parseNow(schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> | undefined {
  try {
    return schema.safeParse(value);
  } catch {
    return undefined;
  }
}
