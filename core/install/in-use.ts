import { type Database, rowsOf, type TableSpec, type Transaction } from '../db/index.ts';
import type { Id } from '../model/index.ts';

/** Rows by table. */
export type RowSet = Map<string, Set<Id>>;

/**
 * Takes out of `rows` those that a row which is not among them refers to, and so on, until nothing that stays leads to something that goes. Links
 * between two tables do not count: they go with either side.
 */
export async function keepUsed(
  { knex }: Pick<Database, 'knex'>,
  transaction: Transaction,
  rows: RowSet,
  current: readonly TableSpec[],
): Promise<void> {
  const references = current
    .filter(({ columns }) => columns.some(({ kind }) => kind === 'id'))
    .flatMap(({ name: from, columns }) =>
      columns.flatMap(({ name: column, references: to }) =>
        to && rows.has(to.table) ? [{ from, column, to: to.table }] : [],
      ),
    );
  for (let changed = true; changed; ) {
    changed = false;
    for (const { from, column, to } of references) {
      const ids = rows.get(to);
      if (!ids || ids.size === 0) continue;
      const leading = await rowsOf(
        transaction,
        knex(from)
          .select('id', { target: column })
          .whereIn(column, [...ids]),
      );
      for (const { id, target } of leading) {
        // A row that leads to itself keeps nothing.
        if (!rows.get(from)?.has(Number(id)) && ids.delete(Number(target))) changed = true;
      }
    }
  }
}
