import { t } from 'pergola/browser';
import { type FormatOptions, formatNumber, isNamed } from '../lib/format.ts';
import { isAmounts, type RawGroup, totalTexts } from '../list/totals.ts';
import type { FieldInfo, ModelInfo } from '../types.ts';

/** How many records a group holds. */
export const COUNT = '__count';

/** Aggregate functions of a measure. */
export const aggregates = ['sum', 'avg', 'min', 'max'] as const;
export type Aggregate = (typeof aggregates)[number];

/** Field of a measure such as `amount_total:sum`. */
export function measureField(measure: string, { fields }: ModelInfo): FieldInfo | undefined {
  return fields[measure.split(':')[0] ?? ''];
}

/** Returns the measures to request from `read_group`, which always includes the record count. */
export function totalsOf(measures: readonly string[]): string[] {
  return measures.filter((measure) => measure !== COUNT);
}

/** Returns the numeric fields of a model that can be aggregated. */
export function measurable({ fields }: ModelInfo): readonly FieldInfo[] {
  const kinds = ['integer', 'float', 'decimal', 'money'];
  return Object.values(fields).filter(
    ({ kind, groupable, name }) => groupable && kinds.includes(kind) && name !== 'id' && name !== 'sequence',
  );
}

export function aggregateLabel(aggregate: Aggregate): string {
  switch (aggregate) {
    case 'sum':
      return t('Sum');
    case 'avg':
      return t('Average');
    case 'min':
      return t('Minimum');
    case 'max':
      return t('Maximum');
  }
}

/** Returns the label of a measure. */
export function measureLabel(measure: string, info: ModelInfo): string {
  if (measure === COUNT) return t('Number of records');
  const label = measureField(measure, info)?.label ?? measure;
  const suffix = measure.split(':')[1];
  if (suffix === 'count_distinct') return t('{field} (distinct)', { field: label });
  const aggregate = aggregates.find((candidate) => candidate === suffix) ?? 'sum';
  return aggregate === 'sum' ? label : `${label} (${aggregateLabel(aggregate)})`;
}

/** Whether totals of a measure can be added up from its subgroups. */
export function isAdditive(measure: string): boolean {
  return measure === COUNT || measure.endsWith(':sum');
}

/** Formats a measure of a group: one text for each currency. */
export function measureTexts(
  group: RawGroup,
  measure: string,
  info: ModelInfo,
  formats: FormatOptions,
): readonly string[] {
  const field = measureField(measure, info);
  if (measure === COUNT || !field) return [formatNumber(Number(group[COUNT] ?? 0))];
  const value = group[field.name];
  if (measure.endsWith(':count_distinct')) return typeof value === 'number' ? [formatNumber(value)] : [];
  return totalTexts(value, field, formats);
}

/** An aggregated number; amounts include their currency. */
export interface Amount {
  /** ISO code, or null if the number isn't an amount or has no currency. */
  readonly currency: string | null;
  readonly value: number;
}

/** Returns a measure of a group as numbers, one for each currency. */
export function measureAmounts(group: RawGroup, measure: string, info: ModelInfo): readonly Amount[] {
  const value = measure === COUNT ? group[COUNT] : group[measureField(measure, info)?.name ?? ''];
  if (isAmounts(value))
    return value.map(({ amount, currency }) => ({ value: amount, currency: isNamed(currency) ? currency[1] : null }));
  return typeof value === 'number' ? [{ value, currency: null }] : [];
}
