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
      const [left, right] = [stack.pop() ?? true, stack.pop() ?? true];
      stack.push(term === '&' ? left && right : left || right);
    } else if (Array.isArray(term)) stack.push(holds(term, values));
  }
  return stack.every(Boolean);
}

function holds([path, operator, operand]: readonly unknown[], values: Readonly<Record<string, unknown>>): boolean {
  const value = comparable(values[String(path)]);
  const plainOperand = comparable(operand);
  switch (operator) {
    case '=':
      return same(value, plainOperand);
    case '!=':
      return !same(value, plainOperand);
    case 'in':
      return Array.isArray(operand) && among(value, operand);
    case 'not in':
      return Array.isArray(operand) && !among(value, operand);
    case '<':
      return compare(value, plainOperand) < 0;
    case '<=':
      return compare(value, plainOperand) <= 0;
    case '>':
      return compare(value, plainOperand) > 0;
    case '>=':
      return compare(value, plainOperand) >= 0;
    case 'like':
      return String(value ?? '').includes(String(plainOperand ?? ''));
    case 'ilike':
      return String(value ?? '')
        .toLowerCase()
        .includes(String(plainOperand ?? '').toLowerCase());
    default:
      return false;
  }
}

/** Converts a many2one to its id, and empty values to null. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 2 && typeof value[1] === 'string') return value[0];
  return value === false || value === undefined || value === '' ? null : value;
}

function same(value: unknown, expected: unknown): boolean {
  if (Array.isArray(value)) return expected === null ? value.length === 0 : value.includes(expected);
  return value === expected;
}

function among(value: unknown, candidates: readonly unknown[]): boolean {
  return candidates.some((candidate) => same(value, comparable(candidate)));
}

function compare(value: unknown, expected: unknown): number {
  if (value === null || expected === null) return Number.NaN;
  return typeof value === 'number' ? value - Number(expected) : String(value).localeCompare(String(expected));
}
