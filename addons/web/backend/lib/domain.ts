import type { Domain } from '../types.ts';

/**
 * Whether a record's loaded values match a domain, for conditionally visible fields. Terms without an operator are joined by `&`. Paths
 * into other records never match.
 */
export function matches(domain: Domain, values: Readonly<Record<string, unknown>>): boolean {
  const stack: boolean[] = [];
  for (const term of domain.toReversed()) {
    if (term === '!') stack.push(!stack.pop());
    else if (term === '&' || term === '|') {
      const [one, other] = [stack.pop() ?? true, stack.pop() ?? true];
      stack.push(term === '&' ? one && other : one || other);
    } else if (Array.isArray(term)) stack.push(holds(term, values));
  }
  return stack.every(Boolean);
}

function holds([path, operator, wanted]: readonly unknown[], values: Readonly<Record<string, unknown>>): boolean {
  const value = plain(values[String(path)]);
  const given = plain(wanted);
  switch (operator) {
    case '=':
      return same(value, given);
    case '!=':
      return !same(value, given);
    case 'in':
      return Array.isArray(wanted) && among(value, wanted);
    case 'not in':
      return Array.isArray(wanted) && !among(value, wanted);
    case '<':
      return compare(value, given) < 0;
    case '<=':
      return compare(value, given) <= 0;
    case '>':
      return compare(value, given) > 0;
    case '>=':
      return compare(value, given) >= 0;
    case 'like':
      return String(value ?? '').includes(String(given ?? ''));
    case 'ilike':
      return String(value ?? '')
        .toLowerCase()
        .includes(String(given ?? '').toLowerCase());
    default:
      return false;
  }
}

/** Converts a many2one to its id, and empty values to null. */
function plain(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 2 && typeof value[1] === 'string') return value[0];
  return value === false || value === undefined || value === '' ? null : value;
}

function same(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return wanted === null ? value.length === 0 : value.includes(wanted);
  return value === wanted;
}

function among(value: unknown, wanted: readonly unknown[]): boolean {
  return wanted.some((one) => same(value, plain(one)));
}

function compare(value: unknown, wanted: unknown): number {
  if (value === null || wanted === null) return Number.NaN;
  return typeof value === 'number' ? value - Number(wanted) : String(value).localeCompare(String(wanted));
}
