import { Conflict } from '@pergola/core';
import {
  DatabaseConflict,
  databaseSession,
  ForeignKeyViolation,
  rowsOf,
  type Transaction,
  UniqueViolation,
} from '@pergola/db';
import { ownText, t } from '@pergola/texts';
import type { Knex } from 'knex';
import { allowedIds } from '../access/allowed.ts';
import { boundOf } from '../bind.ts';
import type { BoundModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { Attempt, WriteOperation } from './operation.ts';
import { FieldProblem, Problems } from './problems.ts';
import { inUse, namesOf, nameUsers, referencesTo } from './references.ts';
import { existing, reportMissing } from './rights.ts';
import { idsByTable, selectIds } from './sql.ts';

/**
 * Explains errors of the database in terms of models: which fields clash with which record, which record is missing, which records still
 * refer to one. Queries the database, so the failed statement must have been rolled back. Returns other errors unchanged.
 */
export async function explainConflict(operation: WriteOperation, error: unknown): Promise<unknown> {
  const { attempt } = operation;
  if (!(error instanceof DatabaseConflict) || !attempt) return error;
  if (error instanceof UniqueViolation) return explainUnique(operation, attempt, error);
  if (error instanceof ForeignKeyViolation) {
    return error.relation === 'missing'
      ? explainMissing(operation, attempt, error)
      : explainUsed(operation, attempt, error);
  }
  return error;
}

async function explainUnique(operation: WriteOperation, attempt: Attempt, error: UniqueViolation): Promise<Error> {
  const { ctx } = operation;
  const { model } = attempt;
  const rule = model.unique.find(({ name, columns }) => name === error.constraint || sameNames(columns, error.columns));
  const columns = rule?.columns ?? error.columns;
  const fields = [...model.fields.values()].filter(({ column }) => column !== null && columns.includes(column));
  if (fields.length === 0) return error;
  const { names: clashingNames, isUnseen } = await clashing(operation, attempt, columns);
  const labels = fields.map(({ addon, label }) => `“${ownText(ctx, addon, label)}”`).join(', ');
  const names = clashingNames.join(', ');
  const params = { model: ownText(ctx, model.addon, model.label), fields: labels, records: names };
  const { message } = rule?.message ? { message: rule.message } : alreadyThere(names !== '');
  const conflict = new Conflict(message, {
    code: 'core.not_unique',
    params,
    fields: Object.fromEntries(fields.map(({ name }) => [name, t(ctx, message, params)])),
    cause: error,
  });
  // A concurrent request stored the same values: this one is retried, and sees them.
  if (isUnseen) operation.transaction.clashedUnseen(conflict);
  return conflict;
}

function alreadyThere(isNamed: boolean): FieldProblem {
  return new FieldProblem(
    isNamed
      ? 'Another “{model}” already has this {fields}: {records}.'
      : 'Another “{model}” already has this {fields}.',
  );
}

/**
 * Returns the names of visible records that already have these values, and whether the transaction can't see any of them, because they were
 * stored after it started.
 */
async function clashing(
  operation: WriteOperation,
  { model, rows, ids }: Attempt,
  columns: readonly string[],
): Promise<{ readonly names: readonly string[]; readonly isUnseen: boolean }> {
  const bound = boundOf(operation.registry.bind(operation.ctx, model.name));
  const clashingIds = new Set<Id>();
  const checkedKeys = new Set<string>();
  for (const row of rows.slice(0, 20)) {
    if (columns.some((column) => !row.has(column) || row.get(column) === null)) continue;
    checkedKeys.add(JSON.stringify(columns.map((column) => row.get(column))));
    const query = bound.knex(model.table).select('id').orderBy('id').limit(3);
    for (const column of columns) query.where(column, row.get(column) as Knex.Value);
    for (const { id } of await rowsOf(operation.transaction, query))
      if (!ids.includes(Number(id))) clashingIds.add(Number(id));
  }
  // If rows of the attempt clash with each other, no other transaction is involved.
  if (clashingIds.size === 0) return { names: [], isUnseen: checkedKeys.size > 0 && checkedKeys.size === rows.length };
  const names = await bound.self.displayNames(await allowedIds(bound, [...clashingIds], 'read'));
  return { names: [...names.values()], isUnseen: false };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

async function explainMissing(
  operation: WriteOperation,
  { model, rows }: Attempt,
  error: ForeignKeyViolation,
): Promise<Error> {
  const problems = new Problems(operation.ctx, model);
  for (const field of model.fields.values()) {
    if (field.relation?.kind !== 'many2one' || field.column === null) continue;
    const ids = idsIn(rows, field.column);
    reportMissing(problems, field, ids, await existing(operation.system(field.relation.to), ids));
  }
  return problems.any ? problems.error() : error;
}

/** Returns the ids of records in other models that rows refer to by foreign keys, by table. */
export function referredTo(
  { compiled, registry }: BoundModel,
  rows: Attempt['rows'],
): ReadonlyMap<string, readonly Id[]> {
  const keys = [...compiled.fields.values()].flatMap(({ relation, column }) =>
    relation?.kind === 'many2one' && relation.foreignKey && column !== null
      ? idsIn(rows, column).map((id) => ({ table: registry.need(relation.to).table, id }))
      : [],
  );
  return idsByTable(keys);
}

function idsIn(rows: Attempt['rows'], column: string): Id[] {
  return [...new Set(rows.map((row) => row.get(column)).filter((value) => typeof value === 'number'))];
}

/** The model layer has already checked for users: these were created concurrently, or belong to disabled addons. */
async function explainUsed(
  operation: WriteOperation,
  { model, ids }: Attempt,
  error: ForeignKeyViolation,
): Promise<Error> {
  const references = new Map(
    referencesTo(operation.registry, model.name).map((candidate) => [`${candidate.table}.${candidate.to}`, candidate]),
  );
  const users: string[] = [];
  for (const { table, column } of await refusingColumns(operation.transaction, model.table)) {
    const reference = references.get(`${table}.${column}`);
    const from = reference?.from ?? column;
    const userIds = await selectIds(operation.transaction, table, from, { column, ids });
    if (userIds.length === 0) continue;
    const name = reference
      ? nameUsers(operation, { field: reference.field, ids: userIds })
      : nameUnknown(operation, table, column);
    users.push(await name);
  }
  if (users.length === 0) return error;
  return inUse(operation, model, await namesOf(operation, model, ids), users.join('; '));
}

/** Describes records of a table that no enabled addon declares, with the addon that declared it. */
async function nameUnknown(operation: WriteOperation, table: string, column: string): Promise<string> {
  const addon = await ownerOf(operation, table, column);
  return addon
    ? t(operation.ctx, 'records of the app “{addon}” ({table}), which is disabled', { table, addon })
    : table;
}

/** Returns the addon that owns a column, according to the ownership table. */
async function ownerOf({ ctx, transaction }: WriteOperation, table: string, column: string): Promise<string | null> {
  const { knex } = ctx.get(databaseSession).database;
  const owners = knex('core_ownership')
    .select('addon')
    .where({ kind: 'column', table_name: table, name: column })
    .orWhere({ kind: 'table', table_name: table })
    .orderBy('kind')
    .limit(1);
  const addon = (await rowsOf(transaction, owners))[0]?.addon;
  return typeof addon === 'string' ? addon : null;
}

/** Columns of all tables whose foreign keys prevent deletion, including the tables of disabled addons. */
async function refusingColumns(
  transaction: Transaction,
  table: string,
): Promise<readonly { readonly table: string; readonly column: string }[]> {
  const { rows } = await transaction.query({
    sql: transaction.dialect === 'sqlite' ? sqliteReferences : postgresReferences,
    bindings: [table],
  });
  return rows.map((row) => ({ table: String(row.table_name), column: String(row.column_name) }));
}

const sqliteReferences = `select m.name as table_name, f."from" as column_name from sqlite_master m join pragma_foreign_key_list(m.name) f
  where m.type = 'table' and f."table" = ? and f.on_delete in ('NO ACTION', 'RESTRICT') order by 1, 2`;
const postgresReferences = `select t.relname as table_name, a.attname as column_name from pg_constraint c
  join pg_class t on t.oid = c.conrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confdeltype in ('a', 'r') and c.confrelid = to_regclass($1) order by 1, 2`;
