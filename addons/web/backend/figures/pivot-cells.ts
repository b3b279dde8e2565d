import { type AmountTotal, groupKey, isAmounts, type RawGroup } from '../list/totals.ts';
import type { Domain, ModelInfo } from '../types.ts';
import { conditionsOf, isByTime, titleOf } from './groups.ts';

/** A row or column of a pivot table. */
export interface PivotHead {
  /** Text key of the values it is grouped by. */
  readonly path: string;
  readonly label: string;
  /** Labels of its parents, then its own. */
  readonly line: readonly string[];
  readonly depth: number;
  readonly hasBelow: boolean;
}

/** Row and column fields of one query of a pivot table: groups by the first fields of each axis. */
export interface Crossing {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
}

/** Returns all queries of a pivot table. Totals of rows and columns are queried separately, because averages don't add up. */
export function crossings(rows: readonly string[], columns: readonly string[]): Crossing[] {
  const depths = [0, ...(columns.length > 0 ? [columns.length] : [])];
  return Array.from({ length: rows.length + 1 }, (_, depth) =>
    depths.map((across) => ({ rows: rows.slice(0, depth), columns: columns.slice(0, across) })),
  ).flat();
}

/** Adds up sums and counts of larger groups from the finest ones, which saves further queries. */
export function rollUp(
  groups: readonly RawGroup[],
  options: {
    readonly info: ModelInfo;
    readonly baseDomain: Domain;
    readonly groupings: readonly string[];
    readonly keptGroupings: readonly string[];
  },
): RawGroup[] {
  const { info, baseDomain, groupings, keptGroupings } = options;
  const totals = new Map<string, Record<string, unknown>>();
  for (const group of groups) {
    const key = groupKey(group, keptGroupings);
    const total = totals.get(key);
    if (total) addTo(total, group, groupings);
    else
      totals.set(key, {
        ...group,
        __domain: [...conditionsFor(group, keptGroupings, { info, baseDomain, groupings }), ...baseDomain],
      });
  }
  return [...totals.values()];
}

/** Returns a group's conditions on some of its grouping fields: two for a period of time, otherwise one each. */
function conditionsFor(
  group: RawGroup,
  keptGroupings: readonly string[],
  { info, baseDomain, groupings }: { info: ModelInfo; baseDomain: Domain; groupings: readonly string[] },
): Domain {
  const all = conditionsOf(group, baseDomain);
  let place = 0;
  return groupings.flatMap((grouping) => {
    const start = place;
    place += isByTime(grouping, info) && group[grouping] !== false ? 2 : 1;
    return keptGroupings.includes(grouping) ? all.slice(start, place) : [];
  });
}

function addTo(total: Record<string, unknown>, group: RawGroup, groupings: readonly string[]): void {
  for (const [name, value] of Object.entries(group)) {
    if (groupings.includes(name)) continue;
    const sum = total[name];
    if (typeof value === 'number') total[name] = (typeof sum === 'number' ? sum : 0) + value;
    else if (isAmounts(value)) total[name] = sumOf(isAmounts(sum) ? sum : [], value);
  }
}

function sumOf(a: readonly AmountTotal[], b: readonly AmountTotal[]): AmountTotal[] {
  const sums = new Map<string, AmountTotal>();
  for (const { currency, amount } of [...a, ...b]) {
    const key = JSON.stringify(currency);
    sums.set(key, { currency, amount: (sums.get(key)?.amount ?? 0) + amount });
  }
  return [...sums.values()];
}

export const NO_PATH = '[]';

export interface PivotCells {
  readonly rows: readonly PivotHead[];
  readonly columns: readonly PivotHead[];
  at(row: string, column: string): RawGroup | undefined;
}

/** Builds a pivot table from the groups of its queries. */
export function pivotCells(
  info: ModelInfo,
  { rows, columns }: Crossing,
  answers: readonly { readonly crossing: Crossing; readonly groups: readonly RawGroup[] }[],
): PivotCells {
  const cells = new Map<string, RawGroup>();
  for (const { crossing, groups } of answers)
    for (const group of groups)
      cells.set(`${groupKey(group, crossing.rows)} ${groupKey(group, crossing.columns)}`, group);
  const groupsOf = (down: number, across: number): readonly RawGroup[] =>
    answers.find(({ crossing }) => crossing.rows.length === down && crossing.columns.length === across)?.groups ?? [];
  return {
    rows: rowsInTreeOrder(rows, (depth) => groupsOf(depth, 0), info),
    columns: columns.length > 0 ? leaves(columns, groupsOf(0, columns.length), info) : [],
    at: (row, column) => cells.get(`${row} ${column}`),
  };
}

/** Returns rows in tree order: each row is followed by its subgroups. */
function rowsInTreeOrder(
  groupings: readonly string[],
  groupsAt: (depth: number) => readonly RawGroup[],
  info: ModelInfo,
): PivotHead[] {
  const children = new Map<string, PivotHead[]>();
  const lines = new Map<string, readonly string[]>([[NO_PATH, []]]);
  for (let depth = 1; depth <= groupings.length; depth += 1) {
    for (const group of groupsAt(depth)) {
      const path = groupKey(group, groupings.slice(0, depth));
      const parentPath = groupKey(group, groupings.slice(0, depth - 1));
      const label = titleOf(group, groupings[depth - 1] ?? '', info);
      const line = [...(lines.get(parentPath) ?? []), label];
      lines.set(path, line);
      const siblings = children.get(parentPath) ?? [];
      siblings.push({ path, label, line, depth: depth - 1, hasBelow: depth < groupings.length });
      children.set(parentPath, siblings);
    }
  }
  const under = (path: string): PivotHead[] =>
    (children.get(path) ?? []).flatMap((head) => [head, ...under(head.path)]);
  return under(NO_PATH);
}

function leaves(groupings: readonly string[], groups: readonly RawGroup[], info: ModelInfo): PivotHead[] {
  const heads = new Map<string, PivotHead>();
  for (const group of inOrder(groupings, groups, info)) {
    const line = groupings.map((grouping) => titleOf(group, grouping, info));
    const path = groupKey(group, groupings);
    heads.set(path, { path, label: line.join(' / '), line, depth: groupings.length - 1, hasBelow: false });
  }
  return [...heads.values()];
}

/** Returns columns by time, by order of the choices or alphabetically, empty values first. */
function inOrder(groupings: readonly string[], groups: readonly RawGroup[], info: ModelInfo): RawGroup[] {
  const placeOf = (group: RawGroup, grouping: string): string | number => {
    if (group[grouping] === false) return '';
    const name = grouping.split(':')[0] ?? grouping;
    const selection = info.fields[name]?.selection ?? [];
    if (selection.length > 0) return selection.findIndex(([key]) => key === group[grouping]);
    const since = Array.isArray(group.__domain)
      ? group.__domain.find((term: unknown) => Array.isArray(term) && term[0] === name && term[1] === '>=')
      : undefined;
    return isByTime(grouping, info) && Array.isArray(since) ? String(since[2]) : titleOf(group, grouping, info);
  };
  return groups.toSorted((a, b) => {
    for (const grouping of groupings) {
      const [first, second] = [placeOf(a, grouping), placeOf(b, grouping)];
      const order =
        typeof first === 'number' && typeof second === 'number'
          ? first - second
          : String(first).localeCompare(String(second));
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Filters out rows below a collapsed row. */
export function visibleRows(rows: readonly PivotHead[], closed: ReadonlySet<string>): PivotHead[] {
  const seen: PivotHead[] = [];
  let hiddenDepth = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (row.depth > hiddenDepth) continue;
    hiddenDepth = closed.has(row.path) ? row.depth : Number.POSITIVE_INFINITY;
    seen.push(row);
  }
  return seen;
}

/** Sorts sibling rows by a number and keeps the tree. */
export function sortedRows(
  rows: readonly PivotHead[],
  amountOf: (row: PivotHead) => number,
  descending: boolean,
): PivotHead[] {
  const top = Math.min(...rows.map(({ depth }) => depth));
  const starts = rows.flatMap(({ depth }, index) => (depth === top ? [index] : []));
  const parts = starts.map((start, index) => rows.slice(start, starts[index + 1] ?? rows.length));
  const head = (part: readonly PivotHead[]): number => (part[0] ? amountOf(part[0]) : 0);
  return parts
    .toSorted((a, b) => (head(a) - head(b)) * (descending ? -1 : 1))
    .flatMap(([first, ...descendants]) =>
      first ? [first, ...(descendants.length > 0 ? sortedRows(descendants, amountOf, descending) : [])] : [],
    );
}
