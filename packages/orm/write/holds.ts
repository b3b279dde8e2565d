import type { Condition } from '../fields.ts';

type Values = Readonly<Record<string, unknown>>;
type Term = Exclude<Condition[number], string>;

/**
 * Whether a condition holds for a record as it was read, as its SQL would say: of a path into other records, whether it does for any that stands there.
 * `&` is what stands between terms where nothing is said.
 */
export function holds(condition: Condition, record: Values): boolean {
  const stack: boolean[] = [];
  for (const term of condition.toReversed()) {
    if (term === '!') stack.push(!stack.pop());
    else if (term === '&' || term === '|') {
      const [one, other] = [stack.pop() ?? true, stack.pop() ?? true];
      stack.push(term === '&' ? one && other : one || other);
    } else stack.push(termHolds(term, record));
  }
  return stack.every(Boolean);
}

function termHolds([path, operator, wanted]: Term, record: Values): boolean {
  const [name = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const deeper: Term = [rest.join('.'), operator, wanted];
    return [record[name]].flat().some((one) => isRecord(one) && termHolds(deeper, one));
  }
  const value = record[name];
  switch (operator) {
    case '=':
    case 'in':
      return isAmong(value, wanted);
    case '!=':
    case 'not in':
      return !isAmong(value, wanted);
    case '<':
      return compare(value, wanted) < 0;
    case '<=':
      return compare(value, wanted) <= 0;
    case '>':
      return compare(value, wanted) > 0;
    default:
      return compare(value, wanted) >= 0;
  }
}

/** Whether it is one of these; of several records, whether any of them is. Nothing is what is not set, or false. */
function isAmong(value: unknown, wanted: Term[2]): boolean {
  const list = [wanted].flat();
  if (Array.isArray(value) && value.length > 0) return value.some((one) => isAmong(one, wanted));
  const own = isRecord(value) && 'id' in value ? value.id : value;
  if (isNothing(own)) return list.some(isNothing);
  return list.some((one) => (typeof one === 'number' ? Number(own) : own) === one);
}

/** NaN where either is empty: then no comparison holds. Exact decimals are texts. */
function compare(value: unknown, wanted: Term[2]): number {
  if (isNothing(value) || isNothing(wanted)) return Number.NaN;
  if (typeof wanted === 'number') return Number(value) - wanted;
  const [own, other] = [String(value), String(wanted)];
  return own < other ? -1 : Number(own > other);
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}
