import { InvalidInput } from '@pergola/core';
import { ownText, t } from '@pergola/texts';
import type { BoundModel, CompiledField, CompiledModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { ModelName } from '../types.ts';
import type { WriteOperation } from './operation.ts';
import { selectRows } from './sql.ts';

/**
 * Rejects records that would be below themselves along `parent_id`: code that walks up such a tree would never end.
 *
 * @throws InvalidInput with a text for `parent_id`
 */
export async function refuseOwnParents(
  operation: WriteOperation,
  { compiled }: BoundModel,
  ids: readonly Id[],
  changed: readonly string[],
): Promise<void> {
  const parent = changed.includes('parent_id') ? compiled.fields.get('parent_id') : undefined;
  if (parent?.relation?.kind !== 'many2one' || parent.relation.to !== compiled.name || parent.column === null) return;
  const check = () => refuseCircle(operation, compiled, parent, ids);
  await (operation.trial ? operation.trial.noting(operation.ctx, check) : check());
}

/**
 * Rejects records that lead back to themselves through a many2one. Locks all their ancestors: of two transactions that each put a record
 * below the other's, the second sees the change of the first.
 *
 * @throws InvalidInput with a text for the field
 */
export async function refuseCircle(
  { ctx, transaction }: WriteOperation,
  model: CompiledModel,
  field: CompiledField,
  ids: readonly Id[],
): Promise<void> {
  const column = field.column ?? '';
  const parents = new Map<Id, Id | null>();
  for (let level = [...new Set(ids)]; level.length > 0; ) {
    const rows = await selectRows(transaction, model.table, ['id', column], { column: 'id', ids: level });
    for (const row of rows) parents.set(Number(row.id), row[column] === null ? null : Number(row[column]));
    const parentIds = rows.flatMap((row) => (row[column] === null ? [] : Number(row[column])));
    level = [...new Set(parentIds)].filter((id) => !parents.has(id));
    await ctx.lock(model.name as ModelName, level);
  }
  if (!ids.some((id) => leadsToCircle(id, parents))) return;
  const params = { field: ownText(ctx, field.addon, field.label) };
  const text = 'A record can’t be its own parent. Choose something else for “{field}”.';
  throw new InvalidInput(text, {
    code: 'core.circular_records',
    params,
    fields: { [field.name]: t(ctx, text, params) },
  });
}

function leadsToCircle(start: Id, parents: ReadonlyMap<Id, Id | null>): boolean {
  const seen = new Set<Id>();
  for (let id: Id | null = start; id !== null; id = parents.get(id) ?? null) {
    if (seen.has(id)) return true;
    seen.add(id);
  }
  return false;
}
