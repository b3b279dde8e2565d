import { InvalidInput } from '../../base/index.ts';
import { ownText } from '../../i18n/index.ts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { WriteOperation } from '../write/operation.ts';
import { selectIds } from '../write/sql.ts';

/** Deeper than any tree that people make. */
const deepest = 500;

/**
 * Refuses a many2one of a tree (`parent_id`) that leads back to where it started: what follows the records above would never end.
 *
 * @throws InvalidInput beside the field.
 */
export async function refuseCircle(
  { ctx, transaction }: WriteOperation,
  model: CompiledModel,
  field: CompiledField,
  ids: readonly Id[],
): Promise<void> {
  const started = new Set(ids);
  let above: readonly Id[] = ids;
  for (let level = 0; above.length > 0; level++) {
    above = await selectIds(transaction, model.table, field.column ?? '', { column: 'id', ids: above });
    if (level < deepest && !above.some((id) => started.has(id))) continue;
    const params = { model: ownText(ctx, model.addon, model.label) };
    throw new InvalidInput('Records of “{model}” would lead to each other in a circle.', {
      code: 'core.circular_records',
      params,
      fields: { [field.name]: ctx.t('Records of “{model}” would lead to each other in a circle.', params) },
    });
  }
}
