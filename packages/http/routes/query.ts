import { InvalidInput } from '@pergola/core';
import type { z } from 'zod';

/** Query parameters by name, each with all its values in order. Without a prototype, so that no name has a special meaning. */
export type RawQuery = Readonly<Record<string, readonly string[]>>;

const MAX_PARAMETERS = 200;

/** Parses a query, ignoring all but the first 200 parameters. Keeps invalid encoding as it was sent. */
export function parseQuery(query: string): RawQuery {
  const values: Record<string, string[]> = Object.create(null);
  if (query === '') return values;
  let remaining = MAX_PARAMETERS;
  for (const [name, value] of new URLSearchParams(query)) {
    if (remaining-- === 0) break;
    values[name] ??= [];
    values[name].push(value);
  }
  return values;
}

/** Whether the query contains names missing in the schema. */
export function hasUndeclared(query: RawQuery, schema: z.ZodObject | undefined): boolean {
  const shape = schema?.shape ?? {};
  return Object.keys(query).some((name) => !Object.hasOwn(shape, name));
}

/**
 * Declared parameters as the schema expects them: the last value of each (all values if the schema takes a list), coerced and validated.
 *
 * @throws InvalidInput naming the invalid parameters.
 */
export function readQuery(query: RawQuery, schema: z.ZodObject | undefined): Readonly<Record<string, unknown>> {
  if (!schema) return {};
  const rawValues: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = query[name];
    if (values) rawValues[name] = takesList(field) ? values : coerced(field, values.at(-1) ?? '');
  }
  const parsed = schema.safeParse(rawValues);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? '')))];
  throw new InvalidInput('The address contains an invalid value: {names}.', {
    code: 'core.bad_query',
    params: { names: names.join(', ') },
  });
}

interface Type {
  readonly def: {
    readonly type: string;
    readonly innerType?: unknown;
    readonly in?: unknown;
    readonly options?: readonly unknown[];
  };
}

/** The type inside optional, default, nullable, catch and pipes, which determines how the raw value is coerced. */
function innermost(field: unknown): Type['def'] {
  let { def } = field as Type;
  for (let inner = def.innerType ?? def.in; inner; inner = def.innerType ?? def.in) ({ def } = inner as Type);
  return def;
}

/** A union of a value and a list counts as a list too. */
export function takesList(field: unknown): boolean {
  const { type, options = [] } = innermost(field);
  return ['array', 'set', 'tuple'].includes(type) || options.some(takesList);
}

/** Addresses contain only text; converts it to the schema's numbers and booleans. An empty number counts as missing. */
export function coerced(field: unknown, text: string): unknown {
  switch (innermost(field).type) {
    case 'number':
    case 'int':
      return text.trim() === '' ? undefined : /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
    case 'boolean':
      return booleans[text.toLowerCase()] ?? text;
    default:
      return text;
  }
}

const booleans: Readonly<Record<string, boolean>> = Object.assign(Object.create(null), {
  true: true,
  '1': true,
  on: true,
  yes: true,
  false: false,
  '0': false,
  off: false,
  no: false,
});

/** Parsed query values as a text that is equal for equal values: sorted keys, empty without values. */
export function queryKey(values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values).filter((name) => values[name] !== undefined);
  return names.length === 0 ? '' : JSON.stringify(names.sort().map((name) => [name, values[name]]));
}
