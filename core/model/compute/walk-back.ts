import type { Connection } from '../../db/index.ts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import { selectIds } from '../write/sql.ts';

/**
 * The records from which a route of relations leads to any of `ids`, whatever anybody may see of them: one query per relation.
 * An empty route answers the ids themselves.
 */
export async function walkBack(
  connection: Connection,
  models: ReadonlyMap<string, CompiledModel>,
  route: readonly CompiledField[],
  ids: readonly Id[],
): Promise<readonly Id[]> {
  let here = ids;
  for (const field of route.toReversed()) {
    if (here.length === 0) return here;
    here = await stepBack(connection, models, field, here);
  }
  return here;
}

async function stepBack(
  connection: Connection,
  models: ReadonlyMap<string, CompiledModel>,
  field: CompiledField,
  ids: readonly Id[],
): Promise<Id[]> {
  const { relation } = field;
  const tableOf = (model: string): string => models.get(model)?.table ?? '';
  switch (relation?.kind) {
    case 'many2one':
      return selectIds(connection, tableOf(field.model), 'id', { column: field.column ?? '', ids });
    case 'one2many':
      return selectIds(connection, tableOf(relation.to), relation.inverseColumn, { column: 'id', ids });
    case 'many2many':
      return selectIds(connection, relation.table, relation.from, { column: relation.toColumn, ids });
    default:
      return [];
  }
}
