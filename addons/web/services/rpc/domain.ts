import { decimal, type RawDomain, toMinor } from 'pergola';
import {
  type BoundModel,
  bindOther,
  type CompiledField,
  checkDomain,
  type ExactDecimal,
  mayOperate,
  noCurrency,
} from 'pergola/orm';
import type { Call } from './call-context.ts';
import { digitsPath } from './currency.ts';
import { fromText } from './from-text.ts';
import { withoutNoise } from './numbers.ts';

/**
 * Validates a caller's domain and converts it for the model: amounts to minor units, numbers and ids from text. Includes inactive records
 * if the context requests them.
 *
 * @throws InvalidInput as `checkDomain`
 */
export async function domainFromWire(call: Call, raw: unknown): Promise<RawDomain> {
  const conditions = raw === false || raw === null || raw === undefined ? [] : raw;
  const converted = Array.isArray(conditions) ? await convertConditions(call, conditions) : conditions;
  const domain = checkDomain(call.bound, converted);
  return withInactive(call, domain);
}

/** Domains that mention `active` are left as they are. */
function withInactive({ bound, context }: Call, domain: RawDomain): RawDomain {
  const { activeField } = bound.compiled;
  return activeField && !context.activeTest ? [...domain, ['active', 'in', [true, false]]] : domain;
}

/** Domains with more conditions are refused by the following check. */
const maxConditions = 200;

async function convertConditions(call: Call, domain: readonly unknown[]): Promise<unknown[]> {
  if (domain.length > 4 * maxConditions) return [...domain];
  const converted: unknown[] = [];
  for (const item of domain) {
    const end = isCondition(item) ? pathEnd(call.bound, item[0]) : null;
    if (!end || !isCondition(item)) {
      converted.push(item);
      continue;
    }
    const condition = toFieldType(item, end.field);
    if (end.field.type === 'money') converted.push(...(await amountCondition(call, end, condition)));
    else converted.push(condition);
  }
  return converted;
}

type Condition = readonly [path: string, operator: unknown, value: unknown];

function isCondition(item: unknown): item is Condition {
  return Array.isArray(item) && item.length === 3 && typeof item[0] === 'string';
}

const textOperators = /like|matches/;

/** Converts a condition's values to the field's type. Lists may be texts with commas. */
function toFieldType([path, operator, value]: Condition, field: CompiledField): Condition {
  if (typeof operator === 'string' && textOperators.test(operator)) return [path, operator, value];
  const takesList = operator === 'in' || operator === 'not in';
  const operand = takesList && typeof value === 'string' ? listOf(value, field) : value;
  return [
    path,
    operator,
    Array.isArray(operand) ? operand.map((item) => fromText(field, item)) : fromText(field, operand),
  ];
}

function listOf(text: string, field: CompiledField): readonly string[] {
  const takesNumbers = field.name === 'id' || field.relation || ['integer', 'float', 'money'].includes(field.type);
  return takesNumbers ? text.split(',').map((part) => part.trim()) : [text];
}

/** Field at the end of a path. */
interface PathEnd {
  readonly bound: BoundModel;
  readonly field: CompiledField;
  /** Path to the field's record, with a trailing dot. */
  readonly prefix: string;
}

function pathEnd(bound: BoundModel, path: string): PathEnd | null {
  const names = path.split('.');
  let level = bound;
  for (const [position, name] of names.entries()) {
    const field = level.compiled.fields.get(name);
    if (!field) return null;
    if (position === names.length - 1) {
      const prefix = names
        .slice(0, -1)
        .map((hop) => `${hop}.`)
        .join('');
      return { bound: level, field, prefix };
    }
    if (!field.relation) return null;
    level = bindOther(level, field.relation.to);
  }
  return null;
}

/**
 * Converts a condition on an amount in major units. The number of minor units depends on each record's currency, so there is one condition
 * per number of decimals, exactly one of which applies to a record.
 */
async function amountCondition(
  call: Call,
  { bound, field, prefix }: PathEnd,
  condition: Condition,
): Promise<unknown[]> {
  if (!hasAmount(condition[2])) return [condition];
  const currencyPath = digitsPath(bound, field);
  const target = currencyPath?.currency.relation?.to;
  const mayAsk = target !== undefined && mayOperate(bound.ctx, bound.registry, target, 'read');
  const all = currencyPath && target && mayAsk ? await call.currencies.allDigits(bindOther(bound, target)) : [];
  if (!currencyPath || all.length === 0) return [inMinor(condition, noCurrency.digits)];
  const { currency, digits } = currencyPath;
  const branches = [...new Set([...all, noCurrency.digits])].map((count) => {
    const counts = [`${prefix}${digits}`, '=', count];
    const isCounted = count === noCurrency.digits ? ['|', [`${prefix}${currency.name}`, '=', false], counts] : [counts];
    return ['&', ...isCounted, inMinor(condition, count)];
  });
  return [...branches.slice(1).map(() => '|'), ...branches.flat()];
}

function hasAmount(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isAmount) : isAmount(value);
}

/** Whether a value is an amount. The model refuses integers that are too large to be exact. */
function isAmount(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  );
}

const alwaysTrue = [1, '=', 1];
const alwaysFalse = [0, '=', 1];

/**
 * Returns the condition for amounts with this number of decimals. A value between two minor units equals no amount, and comparisons use the
 * next unit.
 */
function inMinor([path, operator, value]: Condition, digits: number): unknown[] {
  if (Array.isArray(value)) {
    const minorValues = value.flatMap((item) => (isAmount(item) ? (exactMinorUnits(item, digits) ?? []) : [item]));
    return [path, operator, minorValues];
  }
  const minorValue = exactMinorUnits(value, digits);
  if (minorValue !== null) return [path, operator, minorValue];
  const lowerBound = toMinor(floor(value, digits), { digits });
  if (operator === '>' || operator === '>=') return [path, '>', lowerBound];
  if (operator === '<' || operator === '<=') return [path, '<=', lowerBound];
  return operator === '!=' ? alwaysTrue : operator === '=' ? alwaysFalse : [path, operator, value];
}

function exactMinorUnits(value: unknown, digits: number): number | null {
  const amount = decimal(withoutNoise(value));
  return amount.places() > digits ? null : toMinor(amount, { digits });
}

function floor(value: unknown, digits: number): ExactDecimal {
  const amount = decimal(withoutNoise(value));
  const rounded = amount.round(digits);
  return rounded.gt(amount) ? rounded.minus(decimal(1).div(10 ** digits)) : rounded;
}
