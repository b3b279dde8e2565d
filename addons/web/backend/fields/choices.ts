import { isNamed } from '../lib/format.ts';
import type { Domain, FieldInfo } from '../types.ts';

/** Which records are offered for a field beside the other values of its record, and what a new one begins with. */
export function choicesOf(
  { domain, within }: Pick<FieldInfo, 'domain' | 'within'>,
  record: Readonly<Record<string, unknown>>,
): { readonly domain: Domain; readonly defaults: Readonly<Record<string, unknown>> } {
  const given = Object.entries(within).flatMap(([theirs, own]) => {
    const value = record[own];
    return isNamed(value) ? [[theirs, value] as const] : [];
  });
  // Operators of the domain count for it alone: what is added stands before it.
  return {
    domain: [...given.map(([theirs, [id]]) => [theirs, '=', id]), ...domain],
    defaults: Object.fromEntries(given),
  };
}
