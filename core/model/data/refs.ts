import type { Ref } from './define.ts';

/** Whether a value stands for the record behind an external id. */
export function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
}

/** The external ids that a value names, however deep in it. */
export function refsIn(value: unknown): string[] {
  if (isRef(value)) return [value.$ref];
  if (Array.isArray(value)) return value.flatMap(refsIn);
  return isPlain(value) ? Object.values(value).flatMap(refsIn) : [];
}

/** The value with ids in place of external ids. */
export function replaceRefs(value: unknown, idOf: (externalId: string) => number): unknown {
  if (isRef(value)) return idOf(value.$ref);
  if (Array.isArray(value)) return value.map((item) => replaceRefs(item, idOf));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceRefs(item, idOf)]));
}

/** Dates and the like are values, not structure. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
