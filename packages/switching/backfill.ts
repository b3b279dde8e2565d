import type { Ctx } from '@pergola/core';
import { changesOf, databaseSession, transactionOf } from '@pergola/db';
import {
  boundOf,
  type CompiledField,
  type CompiledModel,
  columnValues,
  decodeValue,
  defaultValues,
  type Id,
  type Ids,
  inDefaultLanguage,
  isSealed,
  isSearched,
  modelRegistry,
  operate,
  selectRows,
  updateEach,
  type WriteOperation,
} from '@pergola/orm';

/**
 * Work on rows that existed before an addon extended their table. It doesn't count as a change of the records: no notifications, timestamps
 * or access rules. Each call processes a batch within the context's transaction; deleted ids are skipped.
 */

/** Fills empty values of these fields with their defaults, evaluated per row: a default may be a random token. */
export async function fillDefaults(ctx: Ctx, model: string, fields: readonly string[], ids: Ids): Promise<void> {
  await onRows(ctx, model, fields, ids, async (operation, compiled, targets, rows) => {
    const bound = operation.system(model);
    const updates = new Map<Id, Map<string, unknown>>();
    for (const [id, row] of rows) {
      const empty = targets.filter(({ column }) => row[column ?? ''] === null);
      const defaults = await defaultValues(
        bound,
        empty.map(({ name }) => name),
      );
      const withDefault = empty.filter(({ name }) => defaults[name] !== undefined);
      const values = withDefault.flatMap((field) =>
        columnValues(operation.codec, field, inDefaultLanguage(operation, field, defaults[field.name])),
      );
      if (values.length > 0) updates.set(id, new Map(values));
    }
    await updateEach(operation.transaction, compiled.table, updates, { kinds: operation.kindsOf(compiled) });
    const changed = [...updates.keys()];
    await operation.recomputation.changed(compiled, fields, changed);
    if (isSearched(compiled, fields)) operation.search(compiled, changed);
  });
}

/** Writes the folded texts of these fields. */
export async function refold(ctx: Ctx, model: string, fields: readonly string[], ids: Ids): Promise<void> {
  await onRows(ctx, model, fields, ids, async (operation, compiled, targets, rows) => {
    const updates = [...rows].map(([id, row]) => {
      const values = targets.flatMap((field) =>
        columnValues(operation.codec, field, decodeValue(operation.codec, field, row[field.column ?? ''])).filter(
          ([column]) => column === field.foldColumn,
        ),
      );
      return [id, new Map(values)] as const;
    });
    await updateEach(operation.transaction, compiled.table, new Map(updates), { kinds: operation.kindsOf(compiled) });
  });
}

/** Encrypts these fields in rows that were stored before the fields were encrypted. */
export async function sealRows(ctx: Ctx, model: string, fields: readonly string[], ids: Ids): Promise<void> {
  await onRows(ctx, model, fields, ids, async (operation, compiled, targets, rows) => {
    const updates = [...rows].map(([id, row]) => {
      const plain = targets.flatMap((field) => {
        const value = field.kind === null ? null : operation.codec.decode(field.kind, row[field.column ?? '']);
        return value === null || isSealed(value) ? [] : columnValues(operation.codec, field, value);
      });
      return [id, new Map(plain)] as const;
    });
    const changed = new Map(updates.filter(([, values]) => values.size > 0));
    await updateEach(operation.transaction, compiled.table, changed, { kinds: operation.kindsOf(compiled) });
  });
}

/** Rebuilds the search text of rows. */
export async function refreshSearchText(ctx: Ctx, model: string, ids: Ids): Promise<void> {
  await onRows(ctx, model, [], ids, async (operation, compiled) => operation.search(compiled, ids));
}

/** Replaces a selection value of a removed addon by the fallback it declared. Returns the number of rows. */
export async function replaceChoice(
  ctx: Ctx,
  table: string,
  { column, value, becomes }: { column: string; value: string; becomes: string | null },
): Promise<number> {
  const { database } = ctx.get(databaseSession);
  const transaction = transactionOf(ctx);
  const changed = await changesOf(
    transaction,
    database
      .knex(table)
      .where({ [column]: value })
      .update({ [column]: becomes }),
  );
  if (changed > 0) transaction.touch(table);
  return changed;
}

type Rows = ReadonlyMap<Id, Readonly<Record<string, unknown>>>;

async function onRows(
  ctx: Ctx,
  model: string,
  names: readonly string[],
  ids: Ids,
  work: (
    operation: WriteOperation,
    compiled: CompiledModel,
    fields: readonly CompiledField[],
    rows: Rows,
  ) => Promise<void>,
): Promise<void> {
  const bound = boundOf(ctx.get(modelRegistry).bind(ctx.sudo(), model));
  const { compiled } = bound;
  const fields = names.flatMap((name) => compiled.fields.get(name) ?? []).filter(({ column }) => column !== null);
  await operate(bound, 'backfill', async (operation) => {
    const columns = ['id', ...fields.map(({ column }) => column ?? '')];
    const rows = await selectRows(operation.transaction, compiled.table, columns, { column: 'id', ids });
    await work(operation, compiled, fields, new Map(rows.map((row) => [Number(row.id), row])));
    operation.touch(compiled);
  });
}
