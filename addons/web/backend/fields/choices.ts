import { isNamed } from '../lib/format.ts';
import type { Domain, FieldInfo } from '../types.ts';

/** Returns the domain and the defaults for a relation field, derived from the other values of its record. */
export function choicesOf(
  { domain, within: fieldMap }: Pick<FieldInfo, 'domain' | 'within'>,
  record: Readonly<Record<string, unknown>>,
): { readonly domain: Domain; readonly defaults: Readonly<Record<string, unknown>> } {
  const relatedValues = Object.entries(fieldMap).flatMap(([targetField, recordField]) => {
    const value = record[recordField];
    return isNamed(value) ? [[targetField, value] as const] : [];
  });
  // Added conditions go first, so that the prefix operators of `domain` apply to `domain` only.
  return {
    domain: [...relatedValues.map(([targetField, [id]]) => [targetField, '=', id]), ...domain],
    defaults: Object.fromEntries(relatedValues),
  };
}
