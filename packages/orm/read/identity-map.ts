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
 * The raw rows of a query as the open transaction knows them; null when it has to be asked for. Only what is plainly columns of records by id, or of the lines
 * and links of records, for whom no rule hides any.
 */
export function knownRaws(bound: BoundModel, query: Prepared, asked: RowsQuery, plan: Compiled): Row[] | null {
  const { known } = bound.connection;
  if (!known || !isPlain(bound, query, asked, plan)) return null;
  const { anchor, ids = [] } = asked;
  if (anchor.kind === 'ids') return rawsOf(known, bound, asked, ids);
  const lists = known.list(listKey(bound, query, asked, plan), ids);
  if (!lists) return null;
  const raws: Row[] = [];
  for (const [position, members] of lists.entries()) {
    const rows = rawsOf(known, bound, asked, members);
    if (!rows) return null;
    for (const row of rows) raws.push({ ...row, parent__id: ids[position] });
  }
  return raws;
}

/** Keeps what was read for the rest of the transaction. */
export function keepRaws(bound: BoundModel, query: Prepared, asked: RowsQuery, { plan, raws, epoch }: Read): void {
  const { known } = bound.connection;
  if (!known || raws.length > 100) return;
  const { table } = bound.compiled;
  const { anchor, ids = [] } = asked;
  const columns = columnsOf(asked);
  if (anchor.kind === 'lines') columns.push(['parent__id', anchor.inverse]);
  known.keep(
    epoch,
    table,
    columns.map(([, column]) => column),
    raws.map((raw) => Object.fromEntries([['id', raw.id], ...columns.map(([name, column]) => [column, raw[name]])])),
  );
  if (anchor.kind === 'ids' || anchor.kind === 'find' || !isPlain(bound, query, asked, plan) || ids.length > 20) return;
  const lists = new Map<Id, Id[]>(ids.map((id) => [id, []]));
  for (const raw of raws) lists.get(Number(raw.parent__id))?.push(Number(raw.id));
  const names = new Set(tailOf(plan).match(/\w+/g));
  known.keepList(epoch, listKey(bound, query, asked, plan), { tables: tablesOf(table, anchor), names }, lists);
}

function isPlain({ ctx, compiled }: BoundModel, query: Prepared, asked: RowsQuery, plan: Compiled): boolean {
  const { anchor, limit, offset } = asked;
  const tables = tablesOf(compiled.table, anchor);
  return (
    ctx.su &&
    anchor.kind !== 'find' &&
    query.domain.node.kind === 'all' &&
    query.guard.node.kind === 'all' &&
    asked.plan.behind.length === 0 &&
    limit === undefined &&
    offset === undefined &&
    // Lists sorted by what stands behind relations follow other tables too.
    plan.tables.every((table) => tables.includes(table)) &&
    !asked.plan.columns.some(({ translated }) => translated)
  );
}

function tablesOf(table: string, anchor: RowsQuery['anchor']): string[] {
  return anchor.kind === 'links' ? [anchor.relation.table, table] : [table];
}

/** The columns a query reads as they stand, by the names it gives them. */
function columnsOf({ plan }: RowsQuery): [name: string, column: string][] {
  return plan.columns.flatMap(({ name, column, translated }): [string, string][] =>
    column === null || translated ? [] : [[name, column]],
  );
}

function rawsOf(known: IdentityMap, { compiled }: BoundModel, asked: RowsQuery, ids: readonly Id[]): Row[] | null {
  const columns = columnsOf(asked);
  const rows = known.rows(
    compiled.table,
    columns.map(([, column]) => column),
    ids,
  );
  return (
    rows?.map((row) => Object.fromEntries([['id', row.id], ...columns.map(([name, column]) => [name, row[column]])])) ??
    null
  );
}

/** What the key of a query has of its anchor. */
export function anchorKey(anchor: Anchor): string {
  if (anchor.kind === 'lines') return `lines ${anchor.inverse}`;
  return anchor.kind === 'links' ? `links ${anchor.relation.table} ${anchor.relation.from}` : anchor.kind;
}

/** Lists in the same order are the same, whatever is read of their rows, and behind however many records at once. */
function listKey({ compiled }: BoundModel, query: Prepared, { anchor }: RowsQuery, { sql }: Compiled): string {
  const order = sql.lastIndexOf(' order by ');
  return `${compiled.table}|${query.onlyActive}|${anchorKey(anchor)}|${order < 0 ? '' : sql.slice(order)}`;
}

function tailOf({ sql }: Compiled): string {
  return sql.slice(sql.search(/ from ["`]/));
}
