import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useMemo, useRef } from 'react';
import { searchRead, type WireRecord } from '../lib/calls.ts';
import { companionsOf } from '../lib/format.ts';
import { keys } from '../lib/queries.ts';
import type { Domain, ModelInfo } from '../types.ts';
import type { ColumnChoice } from './columns.ts';
import { PAGE_SIZE } from './list-state.ts';
import { readGroups, readSummary, totalsFor } from './totals.ts';

/** A group of records with its aggregates. */
export interface Group {
  readonly path: string;
  readonly depth: number;
  readonly label: string;
  readonly count: number;
  readonly totals: Readonly<Record<string, unknown>>;
  /** Domain of its records. */
  readonly domain: Domain;
}

/** A row of a list. */
export type Line =
  | { readonly kind: 'record'; readonly key: string; readonly record: WireRecord; readonly depth: number }
  | { readonly kind: 'group'; readonly key: string; readonly group: Group; readonly isOpen: boolean }
  | { readonly kind: 'more'; readonly key: string; readonly group: Group; readonly visibleCount: number }
  | { readonly kind: 'wait'; readonly key: string };

/** Returns the fields to read for a list's columns, plus currencies of amounts and time zones of moments. */
export function fieldsFor(info: ModelInfo, columns: readonly ColumnChoice[]): string[] {
  const names = columns.flatMap(({ field }) => {
    const definition = info.fields[field];
    return definition ? [field, ...companionsOf(definition)] : [field];
  });
  const baseFields = [info.archives ? 'active' : '', 'write_date', 'display_name'];
  return [...new Set([...names, ...baseFields])].filter((name) => Object.hasOwn(info.fields, name));
}

/** A page of an ungrouped list, the number of matches, and their totals. */
export function usePage(
  info: ModelInfo,
  options: { domain: Domain; order: string; page: number; columns: readonly ColumnChoice[] },
) {
  const { domain, order, page, columns } = options;
  const fields = fieldsFor(info, columns);
  const totals = totalsFor(info, columns);
  const records = useQuery({
    queryKey: keys.list(info.name, { domain, order, page, fields }),
    queryFn: () => searchRead(info.name, { domain, fields, order, limit: PAGE_SIZE, offset: page * PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const summary = useQuery({
    queryKey: keys.list(info.name, { domain, totals, summary: true }),
    queryFn: () => readSummary(info, domain, totals),
    placeholderData: keepPreviousData,
  });
  return { records, summary, rows: useLastGood(records.data) };
}

/** Returns the last successful data, so that a failed request keeps it visible. */
function useLastGood<T>(data: T | undefined): T | undefined {
  const last = useRef(data);
  if (data !== undefined) last.current = data;
  return last.current;
}

/** A request of a grouped list: its top-level groups, or the content of an expanded group. */
interface Request {
  readonly path: string;
  readonly depth: number;
  readonly domain: Domain;
}

/** A grouped list: its groups, with subgroups or records below the expanded ones. `more` is the number of records to show per group. */
export function useGroups(
  info: ModelInfo,
  options: {
    domain: Domain;
    order: string;
    groupBy: readonly string[];
    columns: readonly ColumnChoice[];
    open: ReadonlyMap<string, Request>;
    more: ReadonlyMap<string, number>;
    enabled: boolean;
  },
) {
  const { domain, order, groupBy, columns, open, more, enabled } = options;
  const fields = fieldsFor(info, columns);
  const totals = totalsFor(info, columns);
  const requests: Request[] = enabled ? [{ path: '', depth: 0, domain }, ...open.values()] : [];
  const results = useQueries({
    queries: requests.map(({ path, depth, domain: groupDomain }) => {
      const grouping = groupBy[depth];
      const limit = more.get(path) ?? PAGE_SIZE;
      return {
        queryKey: keys.list(info.name, {
          domain: groupDomain,
          order,
          by: grouping,
          fields,
          totals,
          limit: grouping ? 0 : limit,
          grouped: true,
        }),
        queryFn: (): Promise<unknown> =>
          grouping
            ? readGroups(info, { domain: groupDomain, totals, groupings: [grouping] })
            : searchRead(info.name, { domain: groupDomain, fields, order, limit }),
        placeholderData: keepPreviousData,
      };
    }),
  });
  const stamp = results.map(({ dataUpdatedAt, status }) => `${dataUpdatedAt}${status}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp identifies the results, which are new objects each time
  const lines = useMemo(() => {
    const byPath = new Map(requests.map(({ path }, index) => [path, results[index]?.data]));
    return linesBelow({ path: '', depth: 0, group: null }, { info, groupBy, open, byPath, more });
  }, [stamp, info, groupBy, open, more]);
  return {
    lines,
    error: results.find(({ error }) => error)?.error ?? null,
    isReady: results[0]?.data !== undefined,
    /** Whether rows of a previous list are shown until the current ones arrive. */
    isStale: results.some(({ isPlaceholderData }) => isPlaceholderData),
    groups: lines.filter((line) => line.kind === 'group').length,
  };
}

interface Scene {
  readonly info: ModelInfo;
  readonly groupBy: readonly string[];
  readonly open: ReadonlyMap<string, Request>;
  readonly byPath: ReadonlyMap<string, unknown>;
  readonly more: ReadonlyMap<string, number>;
}

function linesBelow(parent: { path: string; depth: number; group: Group | null }, scene: Scene): Line[] {
  const data = scene.byPath.get(parent.path);
  const grouping = scene.groupBy[parent.depth];
  if (!Array.isArray(data)) {
    // Placeholder rows for the expected number of rows, which avoids layout shifts.
    const coming = grouping ? 1 : Math.min(parent.group?.count ?? 1, PAGE_SIZE);
    return Array.from({ length: coming }, (_, index) => ({ kind: 'wait', key: `wait ${parent.path} ${index}` }));
  }
  if (!grouping) {
    const records: Line[] = (data as WireRecord[]).map((record) => ({
      kind: 'record',
      key: `${parent.path} ${record.id}`,
      record,
      depth: parent.depth,
    }));
    const { group } = parent;
    return group && data.length < group.count
      ? [...records, { kind: 'more', key: `more ${parent.path}`, group, visibleCount: data.length }]
      : records;
  }
  return (data as Record<string, unknown>[]).flatMap((raw): Line[] => {
    const group = toGroup(raw, grouping, parent, scene.info);
    const isOpen = scene.open.has(group.path);
    const line: Line = { kind: 'group', key: group.path, group, isOpen };
    return isOpen ? [line, ...linesBelow({ path: group.path, depth: parent.depth + 1, group }, scene)] : [line];
  });
}

function toGroup(
  raw: Record<string, unknown>,
  grouping: string,
  parent: { path: string; depth: number },
  info: ModelInfo,
): Group {
  const name = grouping.split(':')[0] ?? grouping;
  const value = raw[grouping];
  const label = groupValueLabel(value, info, name);
  const path = `${parent.path}/${JSON.stringify(Array.isArray(value) ? value[0] : value)}`;
  const domain = Array.isArray(raw.__domain) ? raw.__domain : [];
  return { path, depth: parent.depth, label, count: Number(raw.__count ?? 0), totals: raw, domain };
}

/** Returns the label of a group; empty for records without a value. */
export function groupValueLabel(value: unknown, { fields }: ModelInfo, name: string): string {
  const field = fields[name];
  if (field?.kind === 'boolean') return value ? 'true' : 'false';
  if (value === false || value === null || value === undefined) return '';
  if (Array.isArray(value)) return String(value[1]);
  if (field?.kind === 'selection') return field.selection.find(([key]) => key === value)?.[1] ?? String(value);
  return String(value);
}

/** Returns the title of a group. */
export function groupTitle({ label }: Pick<Group, 'label'>): string {
  if (label === 'true') return t('Yes');
  if (label === 'false') return t('No');
  return label || t('(none)');
}
