import { isNamed } from '../lib/format.ts';
import type { Domain, FieldInfo } from '../types.ts';

/** Returns the domain and the defaults for a relation field, derived from the other values of its record. */
export function choicesOf(
  { domain, within }: Pick<FieldInfo, 'domain' | 'within'>,
  record: Readonly<Record<string, unknown>>,
): { readonly domain: Domain; readonly defaults: Readonly<Record<string, unknown>> } {
  const given = Object.entries(within).flatMap(([theirs, own]) => {
    const value = record[own];
    return isNamed(value) ? [[theirs, value] as const] : [];
  });
  // Added conditions go first, so that the prefix operators of `domain` apply to `domain` only.
  return {
    domain: [...given.map(([theirs, [id]]) => [theirs, '=', id]), ...domain],
    defaults: Object.fromEntries(given),
  };
}
