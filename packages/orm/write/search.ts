import type { CompiledModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { WriteOperation } from './operation.ts';
import { batches, selectRows, updateEach } from './sql.ts';
import { decodeValue, searchValues } from './stored.ts';

/** Updates the full-text columns of records from their searched fields. */
export async function refreshSearch(
  operation: WriteOperation,
  model: CompiledModel,
  ids: readonly Id[],
): Promise<void> {
  const { search } = model;
  if (!search) return;
  const columns = search.fields.flatMap(({ column }) => column ?? []);
  for (const batch of batches(ids, 500)) {
    const rows = await selectRows(operation.transaction, model.table, ['id', ...columns], { column: 'id', ids: batch });
    const updates = rows.map((row) => {
      const texts = searchValues(operation.codec, model, operation.registry.defaultLanguage, (field) =>
        decodeValue(operation.codec, field, row[field.column ?? '']),
      );
      return [Number(row.id), new Map(texts)] as const;
    });
    await updateEach(operation.transaction, model.table, new Map(updates), { kinds: operation.kindsOf(model) });
  }
}

/** Whether full-text search covers any of these fields. */
export function isSearched(model: CompiledModel, fields: Iterable<string>): boolean {
  const names = new Set(fields);
  return model.search?.fields.some(({ name }) => names.has(name)) ?? false;
}
