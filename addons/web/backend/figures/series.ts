import type { GraphChoice } from '../list/list-state.ts';
import { groupKey, type RawGroup } from '../list/totals.ts';
import type { Domain, ModelInfo } from '../types.ts';
import { conditionsOf, isByTime, titleOf } from './groups.ts';
import { measureAmounts, measureLabel } from './measures.ts';

/** A point on the axis. */
export interface Point {
  readonly label: string;
  /** Domain of its records. */
  readonly conditions: Domain;
  /** One value per series; null if there are no records. */
  readonly values: readonly (number | null)[];
}

/** A segment of the bars, a line or a ring. */
export interface Series {
  readonly label: string;
  /** ISO code of its currency. */
  readonly currency: string | null;
}

export interface ChartData {
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  /** Total number of points. If there are too many, only the largest are shown. */
  readonly total: number;
}

/** More bars than this become indistinguishable; a year of days is still readable. */
const MAX_NAMES = 60;
const MAX_TIMES = 366;

/**
 * Converts groups to chart data: the first field is the axis, the second splits the series. Amounts of different currencies can't be added
 * up, so each currency is a series, too.
 */
export function chartData(
  groups: readonly RawGroup[],
  options: {
    readonly info: ModelInfo;
    readonly domain: Domain;
    readonly groupBy: readonly string[];
    readonly measure: string;
    readonly sort: GraphChoice['sort'];
  },
): ChartData {
  const { info, domain, groupBy, measure, sort } = options;
  const [axis = '', part] = groupBy;
  const amounts = groups.map((group) => ({ group, amounts: measureAmounts(group, measure, info) }));
  const currencies = new Set(amounts.flatMap((entry) => entry.amounts.map(({ currency }) => currency)));
  const series = new Map<string, Series & { readonly place: number }>();
  const choices = part ? (info.fields[part.split(':')[0] ?? '']?.selection ?? []) : [];
  const points = new Map<string, { label: string; conditions: Domain; values: Map<string, number> }>();
  for (const { group, amounts: groupAmounts } of amounts) {
    const key = groupKey(group, [axis]);
    const point = points.get(key) ?? {
      label: titleOf(group, axis, info),
      conditions: conditionsOf(group, domain).slice(0, isByTime(axis, info) && group[axis] !== false ? 2 : 1),
      values: new Map<string, number>(),
    };
    points.set(key, point);
    for (const { currency, value } of groupAmounts) {
      const name = JSON.stringify([part ? groupKey(group, [part]) : '', currency]);
      const labels = [part ? titleOf(group, part, info) : '', currencies.size > 1 ? (currency ?? '') : ''].filter(
        Boolean,
      );
      // Values of a selection follow its order; other series stay in data order.
      const place = choices.findIndex(([value]) => part !== undefined && value === group[part]);
      series.set(name, { label: labels.join(' · ') || measureLabel(measure, info), currency, place });
      point.values.set(name, value);
    }
  }
  const sortedSeries = [...series].toSorted(([, a], [, b]) => a.place - b.place);
  const all = [...points.values()].map(
    ({ label, conditions, values }): Point => ({
      label,
      conditions,
      values: sortedSeries.map(([name]) => values.get(name) ?? null),
    }),
  );
  const limit = isByTime(axis, info) ? MAX_TIMES : MAX_NAMES;
  const direction = sort ?? (all.length > limit && !isByTime(axis, info) ? 'desc' : null);
  const sortedPoints = direction ? all.toSorted((a, b) => (sumOf(a) - sumOf(b)) * (direction === 'asc' ? 1 : -1)) : all;
  const visiblePoints = isByTime(axis, info) && !direction ? sortedPoints.slice(-limit) : sortedPoints.slice(0, limit);
  return {
    series: sortedSeries.map(([, { label, currency }]) => ({ label, currency })),
    points: visiblePoints,
    total: all.length,
  };
}

/** Returns the currency of a chart's axis, or null if its series have different currencies. */
export function commonCurrency(series: readonly { readonly currency: string | null }[]): string | null {
  const [first = null, ...others] = new Set(series.map(({ currency }) => currency));
  return others.length === 0 ? first : null;
}

function sumOf({ values }: Point): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
