import type { IdentityMap, Row } from '@pergola/db';
import type { BoundModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { Prepared } from './prepare.ts';
import type { Anchor, RowsQuery } from './rows.ts';
import type { Compiled } from './run.ts';

interface Read {
  readonly plan: Compiled;
  readonly raws: readonly Row[];
  readonly epoch: number;
}

/**
 * Returns a query's raw rows from the open transaction's identity map, or null if they have to be queried. Only for plain columns of
 * records by id, or of lines and links of records, where no rule hides any.
 */
export function knownRaws(bound: BoundModel, query: Prepared, rowsQuery: RowsQuery, plan: Compiled): Row[] | null {
  const { known: identityMap } = bound.connection;
  if (!identityMap || !isPlain(bound, query, rowsQuery, plan)) return null;
  const { anchor, ids = [] } = rowsQuery;
  if (anchor.kind === 'ids') return rawsOf(identityMap, bound, rowsQuery, ids);
  const lists = identityMap.list(listKey(bound, query, rowsQuery, plan), ids);
  if (!lists) return null;
  const raws: Row[] = [];
  for (const [position, members] of lists.entries()) {
    const rows = rawsOf(identityMap, bound, rowsQuery, members);
    if (!rows) return null;
    for (const row of rows) raws.push({ ...row, parent__id: ids[position] });
  }
  return raws;
}

/** Stores the rows for the rest of the transaction. */
export function keepRaws(bound: BoundModel, query: Prepared, rowsQuery: RowsQuery, { plan, raws, epoch }: Read): void {
  const { known: identityMap } = bound.connection;
  if (!identityMap || raws.length > 100) return;
  const { table } = bound.compiled;
  const { anchor, ids = [] } = rowsQuery;
  const columns = columnsOf(rowsQuery);
  if (anchor.kind === 'lines') columns.push(['parent__id', anchor.inverse]);
  identityMap.keep(
    epoch,
    table,
    columns.map(([, column]) => column),
    raws.map((raw) => Object.fromEntries([['id', raw.id], ...columns.map(([name, column]) => [column, raw[name]])])),
  );
  if (anchor.kind === 'ids' || anchor.kind === 'find' || !isPlain(bound, query, rowsQuery, plan) || ids.length > 20)
    return;
  const lists = new Map<Id, Id[]>(ids.map((id) => [id, []]));
  for (const raw of raws) lists.get(Number(raw.parent__id))?.push(Number(raw.id));
  const names = new Set(tailOf(plan).match(/\w+/g));
  identityMap.keepList(
    epoch,
    listKey(bound, query, rowsQuery, plan),
    { tables: tablesOf(table, anchor), names },
    lists,
  );
}

function isPlain({ ctx, compiled }: BoundModel, query: Prepared, rowsQuery: RowsQuery, plan: Compiled): boolean {
  const { anchor, limit, offset } = rowsQuery;
  const tables = tablesOf(compiled.table, anchor);
  return (
    ctx.su &&
    anchor.kind !== 'find' &&
    query.domain.node.kind === 'all' &&
    query.guard.node.kind === 'all' &&
    rowsQuery.plan.behind.length === 0 &&
    limit === undefined &&
    offset === undefined &&
    // Lists sorted by values of related records depend on other tables, too.
    plan.tables.every((table) => tables.includes(table)) &&
    !rowsQuery.plan.columns.some(({ translated }) => translated)
  );
}

function tablesOf(table: string, anchor: RowsQuery['anchor']): string[] {
  return anchor.kind === 'links' ? [anchor.relation.table, table] : [table];
}

/** The columns a query reads unchanged, with the names it gives them. */
function columnsOf({ plan }: RowsQuery): [name: string, column: string][] {
  return plan.columns.flatMap(({ name, column, translated }): [string, string][] =>
    column === null || translated ? [] : [[name, column]],
  );
}

function rawsOf(
  identityMap: IdentityMap,
  { compiled }: BoundModel,
  rowsQuery: RowsQuery,
  ids: readonly Id[],
): Row[] | null {
  const columns = columnsOf(rowsQuery);
  const rows = identityMap.rows(
    compiled.table,
    columns.map(([, column]) => column),
    ids,
  );
  return (
    rows?.map((row) => Object.fromEntries([['id', row.id], ...columns.map(([name, column]) => [name, row[column]])])) ??
    null
  );
}

/** The anchor's part of a query's cache key. */
export function anchorKey(anchor: Anchor): string {
  if (anchor.kind === 'lines') return `lines ${anchor.inverse}`;
  return anchor.kind === 'links' ? `links ${anchor.relation.table} ${anchor.relation.from}` : anchor.kind;
}

/** Lists with the same order are equal, no matter which columns are read and for how many records. */
function listKey({ compiled }: BoundModel, query: Prepared, { anchor }: RowsQuery, { sql }: Compiled): string {
  const order = sql.lastIndexOf(' order by ');
  return `${compiled.table}|${query.onlyActive}|${anchorKey(anchor)}|${order < 0 ? '' : sql.slice(order)}`;
}

function tailOf({ sql }: Compiled): string {
  return sql.slice(sql.search(/ from ["`]/));
}
