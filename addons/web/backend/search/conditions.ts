import type { FieldType } from 'pergola/orm';
import { type Clocks, fromLocalInput, zoneOf } from '../lib/moments.ts';
import type { Domain, FieldInfo } from '../types.ts';

/** A condition in the filter dialog. */
export interface Rule {
  readonly field: string;
  readonly op: Op;
  readonly value: unknown;
}
/** Conditions joined by "all" or "any". */
export interface RuleGroup {
  readonly any: boolean;
  readonly rules: readonly (Rule | RuleGroup)[];
}

export type Op =
  | 'contains'
  | 'lacks'
  | 'is'
  | 'is_not'
  | 'less'
  | 'at_most'
  | 'more'
  | 'at_least'
  | 'period'
  | 'set'
  | 'unset'
  | 'yes'
  | 'no';

/** A filter of a list; all filters apply together. */
export type Chip =
  | { readonly kind: 'text'; readonly text: string; readonly field: string | null }
  | { readonly kind: 'preset'; readonly id: string }
  | { readonly kind: 'rules'; readonly group: RuleGroup }
  | { readonly kind: 'domain'; readonly label: string; readonly domain: Domain };

const textOps: readonly Op[] = ['contains', 'lacks', 'is', 'is_not', 'set', 'unset'];
const orderOps: readonly Op[] = ['is', 'is_not', 'more', 'at_least', 'less', 'at_most', 'set', 'unset'];
const dayOps: readonly Op[] = ['period', 'is', 'at_least', 'at_most', 'set', 'unset'];

/** Returns the operators for a kind of field, most likely first. */
export function opsOf(kind: FieldType): readonly Op[] {
  switch (kind) {
    case 'boolean':
      return ['yes', 'no'];
    case 'integer':
    case 'float':
    case 'decimal':
    case 'money':
      return orderOps;
    case 'date':
    case 'datetime':
      return dayOps;
    case 'selection':
      return ['is', 'is_not', 'set', 'unset'];
    case 'many2one':
      return ['is', 'is_not', 'contains', 'set', 'unset'];
    case 'one2many':
    case 'many2many':
      return ['contains', 'set', 'unset'];
    case 'binary':
    case 'image':
    case 'json':
      return ['set', 'unset'];
    default:
      return textOps;
  }
}

/** Whether an operator needs a value. */
export function needsValue(op: Op): boolean {
  return !['set', 'unset', 'yes', 'no'].includes(op);
}

/** Periods relative to today. */
export const periods = [
  'today',
  'yesterday',
  'tomorrow',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
  'last_7_days',
  'last_30_days',
  'next_7_days',
] as const;
export type Period = (typeof periods)[number];

/** Returns the first day of a period and the day after its last, relative to a day (`2026-11-21`). Weeks start on Monday. */
export function daysOf(period: Period, today: string): { start: string; end: string } {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const dayText = (y: number, m: number, d: number): string => new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10);
  const from = (start: number, end: number) => ({
    start: dayText(year, month - 1, day + start),
    end: dayText(year, month - 1, day + end),
  });
  const monday = -((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7);
  switch (period) {
    case 'today':
      return from(0, 1);
    case 'yesterday':
      return from(-1, 0);
    case 'tomorrow':
      return from(1, 2);
    case 'this_week':
      return from(monday, monday + 7);
    case 'last_week':
      return from(monday - 7, monday);
    case 'this_month':
      return { start: dayText(year, month - 1, 1), end: dayText(year, month, 1) };
    case 'last_month':
      return { start: dayText(year, month - 2, 1), end: dayText(year, month - 1, 1) };
    case 'this_year':
      return { start: dayText(year, 0, 1), end: dayText(year + 1, 0, 1) };
    case 'last_7_days':
      return from(-6, 1);
    case 'last_30_days':
      return from(-29, 1);
    case 'next_7_days':
      return from(0, 7);
  }
}

/** Date and time zones that conditions are evaluated with. */
export interface Clock extends Clocks {
  /** `2026-11-21` in the reader's zone */
  readonly today: string;
}

/** Converts a condition to a server domain; null while its value is missing. */
export function ruleDomain({ op, value, field: name }: Rule, field: FieldInfo, clock: Clock): Domain | null {
  if (needsValue(op) && (value === '' || value === null || value === undefined || value === false)) return null;
  const isMany = field.kind === 'one2many' || field.kind === 'many2many';
  switch (op) {
    case 'yes':
      return [[name, '=', true]];
    case 'no':
      return [[name, '=', false]];
    case 'set':
      return [[name, '!=', false]];
    case 'unset':
      return [[name, '=', false]];
    case 'contains':
      return [[name, 'ilike', value]];
    case 'lacks':
      return [[name, 'not ilike', value]];
    case 'period':
      return between(field, daysOf(value as Period, clock.today), clock);
    default:
      break;
  }
  const operand = Array.isArray(value) && field.relation && !isMany ? value[0] : value;
  if (field.kind === 'datetime' && field.dayField) return [[field.dayField, comparisons[op] ?? '=', String(operand)]];
  if (field.kind === 'datetime') return momentDomain(name, op, String(operand), zoneOf(field, {}, clock));
  return [[name, comparisons[op] ?? '=', operand]];
}

const comparisons: Partial<Record<Op, string>> = {
  is: '=',
  is_not: '!=',
  less: '<',
  at_most: '<=',
  more: '>',
  at_least: '>=',
};

/** Uses the stored calendar day in the record's own time zone, if the field has one. */
function between(field: FieldInfo, { start, end }: { start: string; end: string }, clock: Clock): Domain {
  const isMoment = field.kind === 'datetime' && !field.dayField;
  const edge = (day: string): string => (isMoment ? midnight(day, zoneOf(field, {}, clock)) : day);
  const name = field.dayField ?? field.name;
  return [
    [name, '>=', edge(start)],
    [name, '<', edge(end)],
  ];
}

/** Compares a moment with a day: the start or end of that day in a time zone. */
function momentDomain(name: string, op: Op, day: string, timezone: string): Domain {
  const begin = midnight(day, timezone);
  const end = midnight(nextDay(day), timezone);
  if (op === 'is') return ['&', [name, '>=', begin], [name, '<', end]];
  if (op === 'at_least') return [[name, '>=', begin]];
  return [[name, '<', end]];
}

function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** Returns the start of a day in a time zone, in wire format. */
function midnight(day: string, timezone: string): string {
  return fromLocalInput(`${day}T00:00`, timezone) || `${day} 00:00:00`;
}

/** Joins domains by "all" or "any". A domain of several terms counts as one. */
export function joinDomains(domains: readonly Domain[], any = false): Domain {
  const filled = domains.filter((domain) => domain.length > 0).map(withExplicitAnds);
  if (filled.length === 0) return [];
  return [...Array.from({ length: filled.length - 1 }, () => (any ? '|' : '&')), ...filled.flat()];
}

/** Returns the domain with every implicit "and" written out, so that it can follow an operator. */
function withExplicitAnds(domain: Domain): Domain {
  let open = 0;
  for (const term of domain.toReversed()) {
    if (term === '&' || term === '|') open -= 1;
    else if (term !== '!') open += 1;
  }
  return [...Array.from({ length: Math.max(open - 1, 0) }, () => '&'), ...domain];
}

/** Converts a group of conditions to a server domain; empty while no condition is complete. */
export function groupDomain(
  { any, rules }: RuleGroup,
  fields: Readonly<Record<string, FieldInfo>>,
  clock: Clock,
): Domain {
  const domains = rules.flatMap((rule) => {
    if ('rules' in rule) return [groupDomain(rule, fields, clock)];
    const field = fields[rule.field];
    const domain = field ? ruleDomain(rule, field, clock) : null;
    return domain ? [domain] : [];
  });
  return joinDomains(domains, any);
}
