import { callKw } from '../lib/calls.ts';
import { type FormatOptions, formatMoney, formatValue } from '../lib/format.ts';
import type { Domain, FieldInfo, ModelInfo } from '../types.ts';
import { type ColumnChoice, declaredColumn } from './columns.ts';

/** A group as returned by `read_group`. */
export type RawGroup = Readonly<Record<string, unknown>>;

/** Total of the amounts in one currency. The currency is in wire format, `[1, 'EUR']` or false. */
export interface AmountTotal {
  readonly currency: unknown;
  readonly amount: number;
}

/** Columns with a total, in the format of `read_group`. */
export function totalsFor(info: ModelInfo, columns: readonly ColumnChoice[]): string[] {
  return columns.flatMap(({ field }) => {
    const { total } = declaredColumn(info, field);
    return total && info.fields[field]?.groupable ? [`${field}:${total}`] : [];
  });
}

/**
 * Reads groups with their totals and `__count`. Amounts in several currencies are totalled by currency ({@link AmountTotal}). Without
 * grouping fields, all records form one group.
 */
export async function readGroups(
  info: ModelInfo,
  { domain, totals, groupings }: { domain: Domain; totals: readonly string[]; groupings: readonly string[] },
): Promise<readonly RawGroup[]> {
  const [groups, parts] = await Promise.all([
    callKw<RawGroup[]>(info.name, 'read_group', [], { domain, fields: totals, groupby: groupings, lazy: false }),
    moneyParts(info, domain, totals, groupings),
  ]);
  return groups.map((group) => ({ ...group, ...amountsOf(parts, groupKey(group, groupings)) }));
}

/** Returns a key for a group: its grouping values, records by id. */
export function groupKey(group: RawGroup, groupings: readonly string[]): string {
  return JSON.stringify(
    groupings.map((grouping) => (Array.isArray(group[grouping]) ? group[grouping][0] : group[grouping])),
  );
}

/** Reads the number of matching records and their totals. */
export async function readSummary(
  info: ModelInfo,
  domain: Domain,
  totals: readonly string[],
): Promise<{ readonly count: number; readonly totals: RawGroup }> {
  if (totals.length === 0) return { count: await callKw<number>(info.name, 'search_count', [domain]), totals: {} };
  const [group = {}] = await readGroups(info, { domain, totals, groupings: [] });
  return { count: Number(group.__count ?? 0), totals: group };
}

/** Formats a total, one text per currency; empty for fields without a total. */
export function totalTexts(value: unknown, field: FieldInfo, formats: FormatOptions): readonly string[] {
  if (isAmounts(value)) return value.map(({ amount, currency }) => formatMoney(amount, currency, formats.currencies));
  if (typeof value !== 'number') return [];
  return [formatValue(value, { ...field, kind: field.kind === 'integer' ? 'float' : field.kind }, formats)];
}

export function isAmounts(value: unknown): value is readonly AmountTotal[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null && 'amount' in entry)
  );
}

interface MoneyPart {
  readonly currency: string;
  readonly names: readonly string[];
  /** Subgroups per currency, by the values of the other groupings. */
  readonly groups: ReadonlyMap<string, readonly RawGroup[]>;
}

/** Splits groups by the currency of each totalled amount. Sends one request per currency field. */
async function moneyParts(
  info: ModelInfo,
  domain: Domain,
  totals: readonly string[],
  groupings: readonly string[],
): Promise<readonly MoneyPart[]> {
  const byCurrency = Map.groupBy(totals, (total) => currencyOf(info, total));
  return Promise.all(
    [...byCurrency].flatMap(([currency, fields]) => {
      if (currency === null || groupings.includes(currency)) return [];
      const names = fields.map((total) => total.split(':')[0] ?? total);
      const groupby = [...groupings, currency];
      const request = callKw<RawGroup[]>(info.name, 'read_group', [], { domain, fields, groupby, lazy: false });
      const sorted = (groups: RawGroup[]) => Map.groupBy(groups, (group) => groupKey(group, groupings));
      return [request.then((groups): MoneyPart => ({ currency, names, groups: sorted(groups) }))];
    }),
  );
}

/** Returns the currency field of a total if records can be grouped by it. */
function currencyOf(info: ModelInfo, total: string): string | null {
  const field = info.fields[total.split(':')[0] ?? ''];
  const currency = field?.kind === 'money' ? info.fields[field.currencyField ?? 'currency_id'] : undefined;
  return currency?.groupable ? currency.name : null;
}

function amountsOf(parts: readonly MoneyPart[], key: string): Record<string, AmountTotal[]> {
  return Object.fromEntries(
    parts.flatMap(({ currency, names, groups }) =>
      names.map((name) => [
        name,
        (groups.get(key) ?? []).flatMap((raw) => {
          const amount = raw[name];
          return typeof amount === 'number' ? [{ currency: raw[currency], amount }] : [];
        }),
      ]),
    ),
  );
}
