import { inListSql, listBinding, Placeholder, type Transaction } from '@pergola/db';
import type { CompiledField, CompiledModel, Id } from '@pergola/orm';
import type { Image } from './image.ts';

/** Records from which on the database itself stores the previous values, instead of sending them here and back. */
export const MANY = 50;

/**
 * Stores the present values of records that are about to get the same new values, in one statement. Records that have them already are left
 * out. Returns the id of the row in `core_change_row`, which has no set yet, or null if nothing changes.
 *
 * ```
 * records: { columns: ['name'], before: [[4, 'Dig'], [5, 'Plant']], after: { name: 'Water' } }
 * ```
 */
export async function storePrevious(
  transaction: Transaction,
  model: CompiledModel,
  ids: readonly Id[],
  fields: ReadonlyMap<string, CompiledField>,
  { values, after }: { readonly values: ReadonlyMap<string, unknown>; readonly after: Image },
): Promise<Id | null> {
  const columns = [...fields.keys()];
  const isSqlite = transaction.dialect === 'sqlite';
  const [array, list, object] = isSqlite
    ? ['json_array', 'json_group_array', 'json_object']
    : ['jsonb_build_array', 'jsonb_agg', 'jsonb_build_object'];
  const asJson = isSqlite ? 'json(?)' : '?::jsonb';
  const cells = columns.map((column) => {
    const kind = fields.get(column)?.kind;
    if (!isSqlite) return '??';
    // SQLite writes fewer digits of a float, and JSON as text, unless told otherwise.
    if (kind === 'json') return 'json(??)';
    return kind === 'float' ? `iif(?? is null, null, json(printf('%!.17g', ??)))` : '??';
  });
  const differs = columns.map((column) => {
    const cast = !isSqlite && fields.get(column)?.kind === 'json' ? '?::jsonb' : '?';
    return isSqlite ? '?? is not ?' : `?? is distinct from ${cast}`;
  });
  const sources = [
    [
      model.name,
      JSON.stringify(columns),
      JSON.stringify(after),
      ids,
      ...columns.map((column) => values.get(column) ?? null),
    ],
  ];
  const shape = `previous ${model.table} ${columns}`;
  const statement = transaction.plans.statement(shape, sources, (knex) => {
    const records = `${object}('columns', ${asJson}, 'after', ${asJson}, 'before', ${list}(${array}(id, ${cells.join(', ')})))`;
    const text = isSqlite ? '?' : '?::text';
    const sql = `insert into core_change_row (model, kind, first_id, last_id, records)
      select ${text}, 'write', min(id), max(id), ${records} from ??
      where ${inListSql(transaction.dialect, '??', 'id', false)} and (${differs.join(' or ')})
      having count(*) > 0 returning id`;
    return knex.raw(sql, [
      new Placeholder(0),
      new Placeholder(1),
      new Placeholder(2),
      ...columns.flatMap((column) => (isSqlite && fields.get(column)?.kind === 'float' ? [column, column] : [column])),
      model.table,
      'id',
      new Placeholder(3, 0, (list) => listBinding(transaction.dialect, list as readonly number[])),
      ...columns.flatMap((column, index) => [column, new Placeholder(4 + index)]),
    ]);
  });
  const { rows } = await transaction.query({ ...statement, effect: { table: 'core_change_row' } });
  return rows[0] ? Number(rows[0].id) : null;
}
