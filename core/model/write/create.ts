import { requireRight } from '../access/rights.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { referredTo } from './conflicts.ts';
import { withDefaults } from './defaults.ts';
import { applyCommands } from './links.ts';
import { createMirrored } from './mirrored.ts';
import { isEmpty } from './normalize.ts';
import type { WriteOperation } from './operation.ts';
import { FieldProblem, Problems } from './problems.ts';
import { checkTargets, requireFieldsNamed, requireLimited } from './rights.ts';
import { insertRows, selectRows } from './sql.ts';
import { columnValues, searchValues } from './stored.ts';
import { mergeTexts } from './translations.ts';
import { givenNames, languagesOf, type ParsedValues, parseValues } from './values.ts';

/** How lines are written through the field of another record. */
export interface ThroughField {
  /** Fields whose value the core gives, so that the caller needs no right to read its target. */
  readonly trusted: ReadonlySet<string>;
}

/** Creates records within an operation; answers their ids in the same order. */
export async function createIn(
  operation: WriteOperation,
  bound: BoundModel,
  given: readonly AnyValues[],
  through?: ThroughField,
): Promise<Id[]> {
  if (given.length === 0) return [];
  const { self, compiled } = bound;
  requireRight(bound, 'create');
  requireFieldsNamed(bound, new Set(given.flatMap(givenNames)));
  const problems = new Problems(bound.ctx, compiled);
  const own = await createMirrored(operation, bound, given);
  await checkTargets(bound, own, problems, through?.trusted);
  const values = await self.beforeCreate(own);
  if (values.length !== given.length) {
    throw new TypeError(
      `beforeCreate of “${compiled.name}” got ${given.length} records and answered ${values.length}.`,
    );
  }
  const complete = await withDefaults(bound, values);
  const parsed = parseAll(bound, complete, problems);
  const ids = await insert(operation, bound, parsed);
  await operation.recomputation.created(compiled, ids);
  await applyAllCommands(operation, bound, ids, parsed);
  operation.check(() => checkCreated(operation, bound, ids, new Set(complete.flatMap(givenNames))));
  operation.after(() => self.afterCreate(ids, complete));
  return ids;
}

/** Everything that is wrong with all records is said at once. */
function parseAll(bound: BoundModel, given: readonly AnyValues[], problems: Problems): ParsedValues[] {
  const languages = languagesOf(bound);
  const parsed = given.map((values) => {
    const one = parseValues(bound, values, problems);
    for (const field of bound.compiled.fields.values()) {
      if (!isRequired(field) || field.compute) continue;
      const value = field.translated
        ? mergeTexts(null, one.texts.get(field) ?? new Map(), languages)
        : one.plain.get(field);
      if (isEmpty(field, value)) problems.add(field.name, new FieldProblem('This is required.'));
    }
    return one;
  });
  problems.throwIfAny();
  return parsed;
}

function isRequired(field: CompiledField): boolean {
  return field.required && field.column !== null && !field.base;
}

async function insert(operation: WriteOperation, bound: BoundModel, parsed: readonly ParsedValues[]): Promise<Id[]> {
  const { compiled } = bound;
  const rows = parsed.map((values) => rowOf(bound, values));
  const columns = [...(rows[0]?.keys() ?? [])];
  operation.attempt = { model: compiled, rows, ids: [] };
  const encoded = rows.map((row) => columns.map((column) => row.get(column) ?? null));
  const ids = await insertRows(operation.transaction, compiled.table, columns, encoded, () => referredTo(bound, rows));
  operation.created(compiled, ids);
  operation.touch(compiled);
  // What a computed text says is not known yet.
  if (compiled.search?.fields.some(({ compute }) => compute)) operation.search(compiled, ids);
  return ids;
}

/** Every column of a new row, so that all rows of a table are inserted alike. */
function rowOf(bound: BoundModel, values: ParsedValues): Map<string, unknown> {
  const { compiled, codec, ctx } = bound;
  const languages = languagesOf(bound);
  const now = ctx.now();
  const stamps: Readonly<Record<string, unknown>> = {
    create_date: now,
    create_uid: ctx.user.id,
    write_date: now,
    write_uid: ctx.user.id,
  };
  const keptValue = (field: CompiledField): unknown => {
    if (field.translated) return mergeTexts(null, values.texts.get(field) ?? new Map(), languages);
    const given = values.plain.get(field);
    if (field.base) return given ?? stamps[field.name] ?? null;
    return given ?? (field.type === 'boolean' ? false : null);
  };
  const row = new Map<string, unknown>();
  for (const field of compiled.fields.values()) {
    if (field.name === 'id') continue;
    for (const [column, encoded] of columnValues(codec, field, keptValue(field))) row.set(column, encoded);
  }
  for (const [column, encoded] of searchValues(codec, compiled, languages.fallback, keptValue))
    row.set(column, encoded);
  return row;
}

async function applyAllCommands(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  parsed: readonly ParsedValues[],
): Promise<void> {
  const fields = new Set(parsed.flatMap(({ commands }) => [...commands.keys()]));
  for (const field of fields) {
    const perRecord = parsed.flatMap(({ commands }, index) => {
      const id = ids[index];
      const ofRecord = commands.get(field);
      return id !== undefined && ofRecord ? [{ id, commands: ofRecord }] : [];
    });
    await applyCommands(operation, bound, field, perRecord, { isNew: true });
  }
}

async function checkCreated(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  given: ReadonlySet<string>,
): Promise<void> {
  const left = operation.notDeleted(bound.compiled, ids);
  if (left.length === 0) return;
  await checkComputed(operation, bound, left);
  await requireLimited(bound, left, 'create');
  await operation.validate(bound, left, given);
}

/** Required values that are worked out have to be there in the end. */
export async function checkComputed(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  const { compiled, ctx } = bound;
  const fields = [...compiled.fields.values()].filter((field) => isRequired(field) && field.compute);
  if (fields.length === 0) return;
  const problems = new Problems(ctx, compiled);
  const columns = fields.map(({ column }) => column ?? '');
  const rows = await selectRows(operation.transaction, compiled.table, columns, { column: 'id', ids });
  for (const row of rows) {
    for (const field of fields) {
      if (isEmpty(field, row[field.column ?? '']))
        problems.add(
          field.name,
          new FieldProblem('This is required, and nothing follows for it from the other values.'),
        );
    }
  }
  problems.throwIfAny();
}
