import { t } from 'pergola/browser';
import { formatDay, formatNumber, isNamed } from '../lib/format.ts';
import type { FieldInfo, ModelInfo } from '../types.ts';
import { type Chip, needsValue, type Op, type Period, type Rule, type RuleGroup } from './conditions.ts';

/** Text of an operator, between field and value. */
export function opLabel(op: Op): string {
  switch (op) {
    case 'contains':
      return t('contains');
    case 'lacks':
      return t('does not contain');
    case 'is':
      return t('is');
    case 'is_not':
      return t('is not');
    case 'less':
      return t('is less than');
    case 'at_most':
      return t('is at most');
    case 'more':
      return t('is more than');
    case 'at_least':
      return t('is at least');
    case 'period':
      return t('is in');
    case 'set':
      return t('is set');
    case 'unset':
      return t('is empty');
    case 'yes':
      return t('is yes');
    case 'no':
      return t('is no');
  }
}

export function periodLabel(period: Period): string {
  switch (period) {
    case 'today':
      return t('today');
    case 'yesterday':
      return t('yesterday');
    case 'tomorrow':
      return t('tomorrow');
    case 'this_week':
      return t('this week');
    case 'last_week':
      return t('last week');
    case 'this_month':
      return t('this month');
    case 'last_month':
      return t('last month');
    case 'this_year':
      return t('this year');
    case 'last_7_days':
      return t('the last 7 days');
    case 'last_30_days':
      return t('the last 30 days');
    case 'next_7_days':
      return t('the next 7 days');
  }
}

function valueLabel({ op, value }: Rule, field: FieldInfo): string {
  if (op === 'period') return periodLabel(value as Period);
  if (isNamed(value)) return value[1];
  if (field.kind === 'selection') return field.selection.find(([key]) => key === value)?.[1] ?? String(value);
  if (field.kind === 'date' || field.kind === 'datetime') return formatDay(String(value));
  return typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 6 }) : String(value);
}

function ruleLabel(rule: Rule, { fields }: ModelInfo): string {
  const field = fields[rule.field];
  if (!field) return rule.field;
  const beginning = `${field.label} ${opLabel(rule.op)}`;
  return needsValue(rule.op) ? `${beginning} “${valueLabel(rule, field)}”` : beginning;
}

function groupLabel({ any, rules }: RuleGroup, info: ModelInfo): string {
  const parts = rules.map((rule) => ('rules' in rule ? `(${groupLabel(rule, info)})` : ruleLabel(rule, info)));
  return parts.join(any ? ` ${t('or')} ` : ` ${t('and')} `);
}

/** Text of a chip. */
export function chipLabel(chip: Chip, info: ModelInfo): string {
  switch (chip.kind) {
    case 'text':
      return chip.field
        ? t('{field} contains “{text}”', { field: info.fields[chip.field]?.label ?? chip.field, text: chip.text })
        : `“${chip.text}”`;
    case 'preset':
      return info.search.filters.find(({ id }) => id === chip.id)?.label ?? chip.id;
    case 'rules':
      return groupLabel(chip.group, info);
    case 'domain':
      return chip.label;
  }
}

/** Label of a grouping such as `date_order:month`. */
export function groupByLabel(grouping: string, { fields, search }: ModelInfo): string {
  const declared = search.groups.find((group) => group.by === grouping)?.label;
  if (declared) return declared;
  const [name = '', granularity] = grouping.split(':');
  const label = fields[name]?.label ?? name;
  return granularity ? `${label} (${granularityLabel(granularity)})` : label;
}

export function granularityLabel(granularity: string): string {
  switch (granularity) {
    case 'day':
      return t('day');
    case 'week':
      return t('week');
    case 'quarter':
      return t('quarter');
    case 'year':
      return t('year');
    default:
      return t('month');
  }
}
