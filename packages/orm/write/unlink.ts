import { InvalidInput } from '@pergola/core';
import { Placeholder } from '@pergola/db';
import { errorText } from '@pergola/texts';
import { requireRight } from '../access/rights.ts';
import { bindOther, bindSudo, hasOwn } from '../bind.ts';
import type { BoundModel, CompiledField, CompiledModel, ToMany } from '../compiled.ts';
import { externalIdsOfRecords, forgetExternalIds } from '../data/external-ids.ts';
import type { Id } from '../fields.ts';
import { type LinkedPair, recordedColumns } from '../recording.ts';
import { refuseFixedLines } from './conditions.ts';
import type { WriteOperation } from './operation.ts';
import { inUse, namesOf, nameUsers, type Reference, referencesTo, type Users } from './references.ts';
import { requireChangeable, requireRecords } from './rights.ts';
import { amongIds, deleteRows, howMany, selectIds, selectRows, updateRows } from './sql.ts';
import { columnValues } from './stored.ts';

/**
 * Deletes records within an operation, with their dependents: records with a `cascade` relation to them, attached rows, links, external
 * ids. Everything goes through the model layer, so that hooks run and computed values are recalculated.
 *
 * @throws Conflict naming the records with a `restrict` relation to them, or that become invalid without them
 */
export async function unlinkIn(
  operation: WriteOperation,
  bound: BoundModel,
  requestedIds: readonly Id[],
): Promise<void> {
  requireRight(bound, 'unlink');
  requireChangeable(bound);
  const ids = operation.notDeleted(bound.compiled, requestedIds);
  if (ids.length === 0) return;
  await requireRecords(bound, ids, 'unlink');
  const { self, compiled } = bound;
  await refuseFixedLines(operation, bound, ids, []);
  await self.beforeUnlink(ids);
  operation.deleted(compiled, ids);
  await operation.recomputation.deleting(compiled, ids);
  await unlinkDependents(operation, bound, ids);
  await unlinkAttached(operation, bound, ids);
  await refuseUsed(operation, bound, ids);
  await unlinkLinks(operation, bound, ids);
  const recorder = operation.recorder(compiled, { isDeletion: true });
  recorder?.unnamed(compiled, await externalIdsOfRecords(operation.transaction, compiled.name, ids));
  await forgetExternalIds(operation.transaction, compiled.name, ids);
  operation.attempt = { model: compiled, rows: [], ids };
  const columns = recorder ? recordedColumns(compiled) : [];
  const byId = { column: 'id', ids };
  // SQLite returns deleted rows without references to rows deleted before them.
  const isReadBefore = recorder !== null && refersToItself(compiled);
  const before = isReadBefore ? await selectRows(operation.transaction, compiled.table, columns, byId) : null;
  const { rows } = await deleteRows(operation.transaction, compiled.table, [byId], isReadBefore ? [] : columns);
  recorder?.deleted(compiled, before ?? rows, { isDependent: bound.ctx.su && !operation.ctx.su });
  operation.touch(compiled);
  operation.after(() => self.afterUnlink(ids));
}

async function unlinkDependents(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  for (const reference of referencesTo(operation.registry, bound.compiled.name)) {
    if (reference.ondelete === 'restrict' || (reference.isLink && reference.ondelete === 'set null')) continue;
    const dependents = await usersOf(operation, reference, ids);
    if (dependents.length === 0) continue;
    // Which records are deleted or emptied is up to the models, not to the rights of the caller.
    const dependentModel = bindSudo(bindOther(bound, reference.field.model));
    if (reference.ondelete === 'cascade') await unlinkIn(operation, dependentModel, dependents);
    else {
      await validateLosers(operation, bound, ids, { field: reference.field, ids: dependents });
      await empty(operation, dependentModel, reference.field, dependents);
    }
  }
}

function refersToItself({ name, fields }: CompiledModel): boolean {
  return fields
    .values()
    .some(({ relation, stored }) => stored && relation?.kind === 'many2one' && relation.to === name);
}

/** Returns the records that refer to these by a field, without the ones that the operation deletes. */
async function usersOf(operation: WriteOperation, reference: Reference, ids: readonly Id[]): Promise<Id[]> {
  const { table, from, to, field } = reference;
  const userIds = await selectIds(operation.transaction, table, from, { column: to, ids });
  return operation.notDeleted(operation.registry.need(field.model), userIds);
}

/** @throws Conflict naming the records that prevent the deletion */
async function refuseUsed(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  const users: string[] = [];
  const used = new Set<Id>();
  for (const reference of referencesTo(operation.registry, bound.compiled.name)) {
    if (reference.ondelete !== 'restrict') continue;
    const userIds = await usersOf(operation, reference, ids);
    if (userIds.length === 0) continue;
    users.push(await nameUsers(operation, { field: reference.field, ids: userIds }));
    const { table, from, to } = reference;
    for (const id of await selectIds(operation.transaction, table, to, { column: from, ids: userIds })) used.add(id);
  }
  if (users.length === 0) return;
  const records = ids.filter((id) => used.has(id));
  throw inUse(operation, bound.compiled, await namesOf(operation, bound.compiled, records), users.join('; '));
}

/**
 * Validates records that lose a link to a deleted record as if a user had removed the link: if they become invalid, the deletion is
 * refused.
 */
async function validateLosers(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  { field, ids: losers }: Users,
): Promise<void> {
  const model = operation.registry.need(field.model);
  if (!hasOwn(model, 'validate')) return;
  const records = await namesOf(operation, bound.compiled, ids);
  operation.check(async () => {
    const remaining = operation.notDeleted(model, losers);
    const validate = (checkedIds: readonly Id[]): Promise<void> =>
      remaining.length === 0
        ? Promise.resolve()
        : operation.validate(operation.system(model.name), checkedIds, [field.name]);
    try {
      await validate(remaining);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const refusedIds: Id[] = [];
      for (const id of remaining) if (await refuses(() => validate([id]))) refusedIds.push(id);
      const users = await nameUsers(operation, { field, ids: refusedIds.length > 0 ? refusedIds : remaining });
      throw inUse(operation, bound.compiled, records, `${users}: ${errorText(operation.ctx, error)}`);
    }
  });
}

async function refuses(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof InvalidInput) return true;
    throw error;
  }
}

/** Empties a many2one as the database would, and reports the change. */
async function empty(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  ids: readonly Id[],
): Promise<void> {
  const { compiled, codec } = bound;
  await operation.recomputation.changing(compiled, [field.name], ids);
  if (field.options.tracked) await trackEmptied(operation, bound, field, ids);
  const emptied = new Map(columnValues(codec, field, null));
  await operation.recordUpdate(compiled, ids, emptied);
  await updateRows(operation.transaction, compiled.table, emptied, ids);
  operation.touch(compiled);
  await operation.recomputation.changed(compiled, [field.name], ids);
}

async function trackEmptied(
  operation: WriteOperation,
  { compiled }: BoundModel,
  field: CompiledField,
  ids: readonly Id[],
): Promise<void> {
  const column = field.column ?? '';
  for (const row of await selectRows(operation.transaction, compiled.table, ['id', column], { column: 'id', ids })) {
    operation.track(compiled, field, Number(row.id), row[column], null);
  }
}

/** Deletes rows attached to these records by models that can belong to any record: attachments, followers, messages. */
async function unlinkAttached(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  for (const model of operation.registry.models.values()) {
    const { attachedTo } = model.options;
    if (!attachedTo || model === bound.compiled) continue;
    const attached = await attachedIds(operation, model, attachedTo, bound.compiled.name, ids);
    // They are part of the deleted record, regardless of the caller's rights on them.
    if (attached.length > 0) await unlinkIn(operation, bindSudo(bindOther(bound, model.name)), attached);
  }
}

async function attachedIds(
  { transaction }: WriteOperation,
  model: CompiledModel,
  attachedTo: { readonly model: string; readonly id: string },
  name: string,
  ids: readonly Id[],
): Promise<Id[]> {
  const { table, fields } = model;
  const [byModel = '', byId = ''] = [attachedTo.model, attachedTo.id].map((name) => fields.get(name)?.column ?? name);
  const statement = transaction.plans.statement(`attached ${table} ${howMany(ids)}`, [[name, ids]], (knex) =>
    amongIds(
      transaction,
      knex(table).select('id').where(byModel, new Placeholder(0)),
      { column: byId, ids },
      1,
    ).orderBy('id'),
  );
  return (await transaction.query(statement)).rows.map(({ id }) => Number(id));
}

/** Deletes rows in join tables, for many2many fields of this model and fields that point to it. */
async function unlinkLinks(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  const { compiled } = bound;
  for (const reference of referencesTo(operation.registry, compiled.name)) {
    if (!reference.isLink || !hasOwn(operation.registry.need(reference.field.model), 'validate')) continue;
    const losers = await usersOf(operation, reference, ids);
    if (losers.length > 0) await validateLosers(operation, bound, ids, { field: reference.field, ids: losers });
  }
  const columns = operation.registry.memo(`links-of:${compiled.name}`, () => linkColumns(operation, compiled));
  for (const { field, relation, column } of columns) {
    const { table, from, toColumn } = relation;
    const recorder = operation.recorder(operation.registry.need(field.model));
    const returning = recorder ? [from, toColumn] : [];
    const { rows, changes } = await deleteRows(operation.transaction, table, [{ column, ids }], returning);
    const removed = rows.map((row): LinkedPair => [Number(row[from]), Number(row[toColumn])]);
    if (removed.length > 0) recorder?.linked(field, [], removed);
    if (changes > 0) operation.touchLinks(compiled, table);
  }
}

interface LinkColumn {
  readonly field: CompiledField;
  readonly relation: ToMany;
  readonly column: string;
}

function linkColumns({ registry }: WriteOperation, compiled: CompiledModel): LinkColumn[] {
  const linkOf = (field: CompiledField, end: 'from' | 'toColumn'): LinkColumn[] => {
    const { relation, stored } = field;
    // Computed links have no table.
    return relation?.kind === 'many2many' && stored ? [{ field, relation, column: relation[end] }] : [];
  };
  const leadingHere = referencesTo(registry, compiled.name).flatMap(({ field }) => linkOf(field, 'toColumn'));
  const ownColumns = [...compiled.fields.values()].flatMap((field) => linkOf(field, 'from'));
  const all = [...ownColumns, ...leadingHere];
  return [...new Map(all.map((link) => [`${link.relation.table}.${link.column}`, link])).values()];
}
