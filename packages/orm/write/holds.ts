import type { Condition } from '../fields.ts';

type Values = Readonly<Record<string, unknown>>;
type Term = Exclude<Condition[number], string>;

/**
 * Whether a record as read meets a condition, equivalent to its SQL: for a path into other records, whether any of them does. Adjacent
 * terms without an operator are AND-ed.
 */
export function holds(condition: Condition, record: Values): boolean {
  const stack: boolean[] = [];
  for (const term of condition.toReversed()) {
    if (term === '!') stack.push(!stack.pop());
    else if (term === '&' || term === '|') {
      const [left, right] = [stack.pop() ?? true, stack.pop() ?? true];
      stack.push(term === '&' ? left && right : left || right);
    } else stack.push(termHolds(term, record));
  }
  return stack.every(Boolean);
}

function termHolds([path, operator, operand]: Term, record: Values): boolean {
  const [name = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const deeper: Term = [rest.join('.'), operator, operand];
    return [record[name]].flat().some((related) => isRecord(related) && termHolds(deeper, related));
  }
  const value = record[name];
  switch (operator) {
    case '=':
    case 'in':
      return matchesAny(value, operand);
    case '!=':
    case 'not in':
      return !matchesAny(value, operand);
    case '<':
      return compare(value, operand) < 0;
    case '<=':
      return compare(value, operand) <= 0;
    case '>':
      return compare(value, operand) > 0;
    default:
      return compare(value, operand) >= 0;
  }
}

/** Whether the value is one of the operands; for several records, whether any of them is. Null, false and empty lists count as equal. */
function matchesAny(value: unknown, operand: Term[2]): boolean {
  const list = [operand].flat();
  if (Array.isArray(value) && value.length > 0) return value.some((member) => matchesAny(member, operand));
  const scalar = isRecord(value) && 'id' in value ? value.id : value;
  if (isEmptyValue(scalar)) return list.some(isEmptyValue);
  return list.some((candidate) => (typeof candidate === 'number' ? Number(scalar) : scalar) === candidate);
}

/** Returns NaN if either is empty, so that no comparison holds. Exact decimals are texts. */
function compare(value: unknown, operand: Term[2]): number {
  if (isEmptyValue(value) || isEmptyValue(operand)) return Number.NaN;
  if (typeof operand === 'number') return Number(value) - operand;
  const [left, right] = [String(value), String(operand)];
  return left < right ? -1 : Number(left > right);
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}
