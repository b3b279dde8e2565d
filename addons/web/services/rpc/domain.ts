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
 * A caller's domain, checked, as the model takes it: amounts in minor units, numbers and ids that came as text, inactive records too when the
 * context asks for them.
 *
 * @throws InvalidInput as `checkDomain`.
 */
export async function domainFromWire(call: Call, raw: unknown): Promise<RawDomain> {
  const given = raw === false || raw === null || raw === undefined ? [] : raw;
  const converted = Array.isArray(given) ? await convertConditions(call, given) : given;
  const domain = checkDomain(call.bound, converted);
  return withInactive(call, domain);
}

/** Whoever names `active` decides for himself. */
function withInactive({ bound, context }: Call, domain: RawDomain): RawDomain {
  const { activeField } = bound.compiled;
  return activeField && !context.activeTest ? [...domain, ['active', 'in', [true, false]]] : domain;
}

/** More conditions than that are refused by the check that follows. */
const mostConditions = 200;

async function convertConditions(call: Call, domain: readonly unknown[]): Promise<unknown[]> {
  if (domain.length > 4 * mostConditions) return [...domain];
  const converted: unknown[] = [];
  for (const item of domain) {
    const end = isCondition(item) ? pathEnd(call.bound, item[0]) : null;
    if (!end || !isCondition(item)) {
      converted.push(item);
      continue;
    }
    const condition = typed(item, end.field);
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

/** The condition with values of the field's own type. Lists may come as text, with commas between the members. */
function typed([path, operator, value]: Condition, field: CompiledField): Condition {
  if (typeof operator === 'string' && textOperators.test(operator)) return [path, operator, value];
  const takesList = operator === 'in' || operator === 'not in';
  const given = takesList && typeof value === 'string' ? listOf(value, field) : value;
  return [path, operator, Array.isArray(given) ? given.map((item) => fromText(field, item)) : fromText(field, given)];
}

function listOf(text: string, field: CompiledField): readonly string[] {
  const takesNumbers = field.name === 'id' || field.relation || ['integer', 'float', 'money'].includes(field.type);
  return takesNumbers ? text.split(',').map((part) => part.trim()) : [text];
}

/** The field a path leads to. */
interface PathEnd {
  readonly bound: BoundModel;
  readonly field: CompiledField;
  /** The path to the record the field is of, with a dot at the end. */
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
 * A condition on an amount in major units. How many minor units these are depends on each record's currency, so there is one condition for
 * each number of digits that currencies have: of a record, exactly one holds.
 */
async function amountCondition(
  call: Call,
  { bound, field, prefix }: PathEnd,
  condition: Condition,
): Promise<unknown[]> {
  if (!hasAmount(condition[2])) return [condition];
  const found = digitsPath(bound, field);
  const target = found?.currency.relation?.to;
  const mayAsk = target !== undefined && mayOperate(bound.ctx, bound.registry, target, 'read');
  const all = found && target && mayAsk ? await call.currencies.allDigits(bindOther(bound, target)) : [];
  if (!found || all.length === 0) return [inMinor(condition, noCurrency.digits)];
  const { currency, digits } = found;
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

/** Whether a value is an amount; the model says that whole numbers above the largest exact one are too large. */
function isAmount(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  );
}

const always = [1, '=', 1];
const never = [0, '=', 1];

/** The condition for amounts with so many digits. What lies between two minor units equals no amount, and is passed by the next one. */
function inMinor([path, operator, value]: Condition, digits: number): unknown[] {
  if (Array.isArray(value)) {
    const whole = value.flatMap((item) => (isAmount(item) ? (wholeMinor(item, digits) ?? []) : [item]));
    return [path, operator, whole];
  }
  const whole = wholeMinor(value, digits);
  if (whole !== null) return [path, operator, whole];
  const below = toMinor(floor(value, digits), { digits });
  if (operator === '>' || operator === '>=') return [path, '>', below];
  if (operator === '<' || operator === '<=') return [path, '<=', below];
  return operator === '!=' ? always : operator === '=' ? never : [path, operator, value];
}

function wholeMinor(value: unknown, digits: number): number | null {
  const amount = decimal(withoutNoise(value));
  return amount.places() > digits ? null : toMinor(amount, { digits });
}

function floor(value: unknown, digits: number): ExactDecimal {
  const amount = decimal(withoutNoise(value));
  const rounded = amount.round(digits);
  return rounded.gt(amount) ? rounded.minus(decimal(1).div(10 ** digits)) : rounded;
}
