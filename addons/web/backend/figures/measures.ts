import { t } from 'pergola/browser';
import { type FormatAbout, formatNumber, isNamed } from '../lib/format.ts';
import { isAmounts, type RawGroup, totalTexts } from '../list/totals.ts';
import type { FieldInfo, ModelInfo } from '../types.ts';

/** How many records a group holds. */
export const COUNT = '__count';

/** What a number can be worked out by. */
export const aggregates = ['sum', 'avg', 'min', 'max'] as const;
export type Aggregate = (typeof aggregates)[number];

/** The field of `amount_total:sum`. */
export function measureField(measure: string, { fields }: ModelInfo): FieldInfo | undefined {
  return fields[measure.split(':')[0] ?? ''];
}

/** What of the measures `read_group` is asked for; it counts by itself. */
export function totalsOf(measures: readonly string[]): string[] {
  return measures.filter((measure) => measure !== COUNT);
}

/** The numbers of a model that can be worked out over groups. */
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
      return t('Smallest');
    case 'max':
      return t('Largest');
  }
}

/** What a measure is called. */
export function measureLabel(measure: string, info: ModelInfo): string {
  if (measure === COUNT) return t('Number of records');
  const label = measureField(measure, info)?.label ?? measure;
  const by = measure.split(':')[1];
  if (by === 'count_distinct') return t('{field} (different ones)', { field: label });
  const aggregate = aggregates.find((one) => one === by) ?? 'sum';
  return aggregate === 'sum' ? label : `${label} (${aggregateLabel(aggregate)})`;
}

/** Whether groups of groups can be added up to it. */
export function isAdditive(measure: string): boolean {
  return measure === COUNT || measure.endsWith(':sum');
}

/** A measure of a group as people read it, a text for each currency. */
export function measureTexts(group: RawGroup, measure: string, info: ModelInfo, about: FormatAbout): readonly string[] {
  const field = measureField(measure, info);
  if (measure === COUNT || !field) return [formatNumber(Number(group[COUNT] ?? 0))];
  const value = group[field.name];
  if (measure.endsWith(':count_distinct')) return typeof value === 'number' ? [formatNumber(value)] : [];
  return totalTexts(value, field, about);
}

/** A number of a group; amounts with their currency. */
export interface Amount {
  /** ISO code; null for what is no amount, or in no currency. */
  readonly currency: string | null;
  readonly value: number;
}

/** A measure of a group as numbers, one for each currency. */
export function measureAmounts(group: RawGroup, measure: string, info: ModelInfo): readonly Amount[] {
  const value = measure === COUNT ? group[COUNT] : group[measureField(measure, info)?.name ?? ''];
  if (isAmounts(value))
    return value.map(({ amount, currency }) => ({ value: amount, currency: isNamed(currency) ? currency[1] : null }));
  return typeof value === 'number' ? [{ value, currency: null }] : [];
}
