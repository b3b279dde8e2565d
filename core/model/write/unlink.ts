import { Conflict } from '../../base/index.ts';
import { Placeholder } from '../../db/index.ts';
import { ownText } from '../../i18n/index.ts';
import { requireRight } from '../access/rights.ts';
import { bindOther, bindSudo } from '../bind.ts';
import type { BoundModel, CompiledField, CompiledModel, ToOne } from '../compiled.ts';
import { forgetExternalIds } from '../data/external-ids.ts';
import type { Id } from '../fields.ts';
import { refuseFixedLines } from './conditions.ts';
import type { WriteOperation } from './operation.ts';
import { nameRecords } from './problems.ts';
import { requireChangeable, requireRecords } from './rights.ts';
import { amongIds, deleteRows, howMany, selectIds, selectRows, updateRows } from './sql.ts';
import { columnValues } from './stored.ts';

/**
 * Deletes records within an operation, and what goes with them: records whose many2one says `cascade`, rows attached to them, links, external
 * ids. Everything of ours goes through the model layer, so that its hooks run and values computed from it are renewed; what the database
 * would cascade by itself nobody would hear of.
 */
export async function unlinkIn(operation: WriteOperation, bound: BoundModel, someIds: readonly Id[]): Promise<void> {
  requireRight(bound, 'unlink');
  requireChangeable(bound);
  const ids = operation.notDeleted(bound.compiled, someIds);
  if (ids.length === 0) return;
  await requireRecords(bound, ids, 'unlink');
  const { self, compiled } = bound;
  await refuseFixedLines(operation, bound, ids, []);
  await self.beforeUnlink(ids);
  operation.deleted(compiled, ids);
  await operation.recomputation.deleting(compiled, ids);
  await unlinkDependents(operation, bound, ids);
  await unlinkAttached(operation, bound, ids);
  await unlinkLinks(operation, compiled, ids);
  await forgetExternalIds(operation.transaction, compiled.name, ids);
  operation.attempt = { model: compiled, rows: [], ids };
  await deleteRows(operation.transaction, compiled.table, [{ column: 'id', ids }]);
  operation.touch(compiled);
  operation.after(() => self.afterUnlink(ids));
}

/** The many2one fields of all models that lead to a model. */
function fieldsTo(
  operation: WriteOperation,
  model: CompiledModel,
): readonly (CompiledField & { readonly relation: ToOne })[] {
  return operation.registry.memo(`fields-to:${model.name}`, () =>
    [...operation.registry.models.values()].flatMap(({ fields }) =>
      [...fields.values()].flatMap((field) => {
        const { relation, column, base } = field;
        const leadsHere = relation?.kind === 'many2one' && relation.to === model.name && column !== null && !base;
        return leadsHere ? [{ ...field, relation }] : [];
      }),
    ),
  );
}

async function unlinkDependents(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  for (const field of fieldsTo(operation, bound.compiled)) {
    const { ondelete, foreignKey } = field.relation;
    // The database refuses these itself, and more surely than we could.
    if (ondelete === 'restrict' && foreignKey) continue;
    const model = operation.registry.need(field.model);
    const column = field.column ?? '';
    const found = await selectIds(operation.transaction, model.table, 'id', { column, ids });
    const dependents = operation.notDeleted(model, found);
    if (dependents.length === 0) continue;
    if (ondelete === 'restrict') throw stillUsed(operation, bound, ids, model, dependents);
    // What goes along is decided by the models, not by the rights of whoever deletes the record it belongs to.
    const others = bindSudo(bindOther(bound, model.name));
    if (ondelete === 'cascade') await unlinkIn(operation, others, dependents);
    else await empty(operation, others, field, dependents);
  }
}

/** Empties a many2one as the database would, and tells of it. */
async function empty(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  ids: readonly Id[],
): Promise<void> {
  const { compiled, codec } = bound;
  await operation.recomputation.changing(compiled, [field.name], ids);
  if (field.options.tracked) await trackEmptied(operation, bound, field, ids);
  await updateRows(operation.transaction, compiled.table, new Map(columnValues(codec, field, null)), ids);
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

function stillUsed(
  operation: WriteOperation,
  { compiled }: BoundModel,
  ids: readonly Id[],
  model: CompiledModel,
  users: readonly Id[],
): Conflict {
  return inUse(operation, compiled, ids, `“${ownText(operation.ctx, model.addon, model.label)}” ${nameRecords(users)}`);
}

/** What says that records cannot be deleted because of others. */
export function inUse(operation: WriteOperation, model: CompiledModel, ids: readonly Id[], users: string): Conflict {
  return new Conflict('“{model}” {records} cannot be deleted, because it is still used by {users}.', {
    code: 'core.record_in_use',
    params: { model: ownText(operation.ctx, model.addon, model.label), records: nameRecords(ids), users },
  });
}

/** Rows of models that belong to records of any model, these among them: attachments, followers, messages. */
async function unlinkAttached(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  for (const model of operation.registry.models.values()) {
    const { attachedTo } = model.options;
    if (!attachedTo || model === bound.compiled) continue;
    const found = await attachedIds(operation, model, attachedTo, bound.compiled.name, ids);
    // They are part of the record that goes, whatever rights the caller has over them alone.
    if (found.length > 0) await unlinkIn(operation, bindSudo(bindOther(bound, model.name)), found);
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

/** Rows in tables between, of fields of this model and of those that lead to it. */
async function unlinkLinks(operation: WriteOperation, compiled: CompiledModel, ids: readonly Id[]): Promise<void> {
  const columns = operation.registry.memo(`links-of:${compiled.name}`, () => linkColumns(operation, compiled));
  for (const { table, column } of columns) {
    const removed = await deleteRows(operation.transaction, table, [{ column, ids }]);
    if (removed > 0) operation.touchLinks(compiled, table);
  }
}

function linkColumns({ registry }: WriteOperation, compiled: CompiledModel): { table: string; column: string }[] {
  const columns = new Map<string, { table: string; column: string }>();
  for (const { fields } of registry.models.values()) {
    for (const { model, relation, stored } of fields.values()) {
      // Links that are worked out have no table.
      if (relation?.kind !== 'many2many' || !stored) continue;
      const { table, from, toColumn, to } = relation;
      if (model === compiled.name) columns.set(`${table}.${from}`, { table, column: from });
      if (to === compiled.name) columns.set(`${table}.${toColumn}`, { table, column: toColumn });
    }
  }
  return [...columns.values()];
}
