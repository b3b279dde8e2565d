import { missingLines } from './compare-pages.ts';
import type { Difference, DifferenceKind, SiteFacts, TableFacts } from './types.ts';

/** Compares what two sites have besides their pages. */
export function siteDifferences(before: SiteFacts, after: SiteFacts): Difference[] {
  return [
    ...mapDifferences('job', 'job', before.jobs, after.jobs),
    ...mapDifferences('rights', 'route', before.routes, after.routes).map(routeOrRights),
    ...mapDifferences('rights', 'access', before.access, after.access),
    ...mailDifferences(before, after),
    ...Object.entries(before.tables).flatMap(([table, facts]) => dataDifferences(table, facts, after.tables[table])),
  ];
}

function difference(kind: DifferenceKind, path: string, before: string | null, after: string | null): Difference {
  return { path, as: '', kind, before, after };
}

type Entries = Readonly<Record<string, string>>;

function mapDifferences(kind: DifferenceKind, prefix: string, before: Entries, after: Entries): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => difference(kind, `${prefix} ${name}`, before[name] ?? null, after[name] ?? null));
}

/** A route that one side doesn't have is new or gone, not opened or closed. */
function routeOrRights(route: Difference): Difference {
  return route.before === null || route.after === null ? { ...route, kind: 'route' } : route;
}

function mailDifferences(before: SiteFacts, after: SiteFacts): Difference[] {
  const names = [...new Set([...Object.keys(before.mails), ...Object.keys(after.mails)])].toSorted();
  return names.flatMap((name) => {
    const [old, next] = [before.mails[name], after.mails[name]];
    const path = `mail ${name}`;
    if (!next) return [difference('text', path, old?.texts[0] ?? '', null)];
    const faults = missingLines(next.faults, old?.faults ?? []);
    if (faults.length > 0) return faults.map((fault) => difference('mail', path, null, fault));
    if (!old) return [difference('text', path, null, next.texts[0] ?? '')];
    if (next.faults.length > 0) return [];
    const [removed, added] = [missingLines(old.texts, next.texts), missingLines(next.texts, old.texts)];
    if (removed.length + added.length === 0) return [];
    return [difference('text', path, removed.join('\n') || null, added.join('\n') || null)];
  });
}

function dataDifferences(table: string, before: TableFacts, after: TableFacts | undefined): Difference[] {
  const { model, rows } = before;
  const path = model === table ? `table ${table}` : `model ${model}`;
  if (!after) return rows > 0 ? [difference('data', path, records(rows), null)] : [];
  const deleted = after.rows < rows ? [difference('data', path, records(rows), records(after.rows))] : [];
  const columns = Object.entries(before.columns).flatMap(([column, { values, size }]) => {
    const next = after.columns[column];
    if (values === 0) return [];
    if (!next) return [difference('data', `${path}, ${column}`, valuesText(values), null)];
    // Deleted records take their values with them.
    if (after.rows < rows) return [];
    if (next.values < values)
      return [difference('data', `${path}, ${column}`, valuesText(values), valuesText(next.values))];
    const isOverwritten = after.rows === rows && next.values === values && next.size !== size;
    return isOverwritten ? [difference('data', `${path}, ${column}`, valuesText(values), 'other values')] : [];
  });
  return [...deleted, ...columns];
}

const records = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`;
const valuesText = (count: number): string => `${count} ${count === 1 ? 'value' : 'values'}`;
