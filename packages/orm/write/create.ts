import { requireRight } from '../access/rights.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { refuseFixedLines, requireByState } from './conditions.ts';
import { referredTo } from './conflicts.ts';
import { withDefaults } from './defaults.ts';
import { storeComputed, withoutComputed } from './inverse.ts';
import { applyCommands } from './links.ts';
import { createMirrored } from './mirrored.ts';
import { isEmpty } from './normalize.ts';
import type { WriteOperation } from './operation.ts';
import { FieldProblem, ofLines, Problems } from './problems.ts';
import { checkTargets, requireFieldsNamed, requireLimited } from './rights.ts';
import { insertRows, selectRows } from './sql.ts';
import { columnValues, searchValues, type Texts } from './stored.ts';
import { mergeTexts, type TextChanges } from './translations.ts';
import { standIn } from './trial.ts';
import { languagesOf, type ParsedValues, parseValues, writtenNames } from './values.ts';
import { keepWithin } from './within.ts';

/** Origin of records written on behalf of another one. */
export interface ThroughField {
  /** Fields whose value is set by the core, so that the caller needs no right to read their target. */
  readonly trusted: ReadonlySet<string>;
  /** Lines that are written through a field of another record. */
  readonly lines?: LinePlaces;
}

/** Positions of lines, for problems. */
export interface LinePlaces {
  /** Position of each line in the field's value. */
  readonly places: readonly number[];
  /** Runs deferred work and reports problems with the lines under the field. */
  inField<T>(work: () => Promise<T>): Promise<T>;
}

/** Creates records within an operation; returns their ids in the same order. */
export async function createIn(
  operation: WriteOperation,
  bound: BoundModel,
  records: readonly AnyValues[],
  origin?: ThroughField,
): Promise<Id[]> {
  if (records.length === 0) return [];
  const { self, compiled } = bound;
  requireRight(bound, 'create');
  requireFieldsNamed(bound, new Set(records.flatMap(writtenNames)));
  const problems = new Problems(bound.ctx, compiled);
  if (!origin?.lines) await refuseFixedLines(operation, bound, [], records);
  const split = records.map((values) => withoutComputed(bound, values, problems));
  const ownValues = await createMirrored(
    operation,
    bound,
    split.map(({ values }) => values),
  );
  await checkTargets(bound, ownValues, problems, origin);
  const lines = origin?.lines;
  const values = lines
    ? await ofLines(bound, ownValues, lines.places, (lineValues) => self.beforeCreate(lineValues))
    : await self.beforeCreate(ownValues);
  if (values.length !== records.length) {
    throw new TypeError(
      `beforeCreate of “${compiled.name}” got ${records.length} records and answered ${values.length}.`,
    );
  }
  const complete = await withDefaults(bound, values);
  for (const [index, record] of complete.entries()) {
    const recordProblems = lines ? new Problems(bound.ctx, compiled) : problems;
    await keepWithin(operation, bound, [], record, recordProblems);
    if (lines && recordProblems.any) problems.takeOver(String(lines.places[index] ?? index), recordProblems.error());
  }
  const parsed = parseAll(operation, bound, complete, problems, lines?.places);
  const ids = await insert(operation, bound, parsed);
  await operation.recomputation.created(compiled, ids);
  await applyAllCommands(operation, bound, ids, parsed);
  const names = new Set(complete.flatMap(writtenNames));
  operation.check(() => {
    if (!lines) return checkCreated(operation, bound, ids, names);
    return lines.inField(() =>
      ofLines(bound, ids, lines.places, (lineIds) => checkCreated(operation, bound, lineIds, names)),
    );
  });
  operation.after(() => self.afterCreate(ids, complete));
  for (const [index, { computed }] of split.entries()) {
    const id = ids[index];
    if (id !== undefined && computed.size > 0) operation.after(() => storeComputed(bound, [id], computed));
  }
  return ids;
}

/** Parses all records and throws their problems together; for lines, by position. */
function parseAll(
  operation: WriteOperation,
  bound: BoundModel,
  records: readonly AnyValues[],
  problems: Problems,
  places?: readonly number[],
): ParsedValues[] {
  const parsed = records.map((values, index) => {
    const recordProblems = places ? new Problems(bound.ctx, bound.compiled) : problems;
    const parsedRecord = parseOne(operation, bound, values, recordProblems);
    if (places && recordProblems.any) problems.takeOver(String(places[index] ?? index), recordProblems.error());
    return parsedRecord;
  });
  problems.throwIfAny();
  return parsed;
}

function parseOne({ trial }: WriteOperation, bound: BoundModel, values: AnyValues, problems: Problems): ParsedValues {
  const parsed = parseValues(bound, values, problems);
  for (const field of parsed.texts.keys()) problems.during(field.name, () => parsedValue(bound, field, parsed));
  for (const field of bound.compiled.fields.values()) {
    if (!isRequired(field) || field.compute || (trial && standIn(field) !== undefined)) continue;
    if (
      isEmpty(
        field,
        problems.during(field.name, () => parsedValue(bound, field, parsed)),
      )
    )
      problems.add(field.name, new FieldProblem('Fill in this field.'));
  }
  return parsed;
}

function parsedValue(bound: BoundModel, field: CompiledField, { plain, texts }: ParsedValues): unknown {
  if (!field.translated) return plain.get(field);
  const changes = texts.get(field);
  if (!changes) return null;
  const cached = merged.get(changes);
  if (cached !== undefined) return cached;
  const value = mergeTexts(field, null, changes, languagesOf(bound));
  merged.set(changes, value);
  return value;
}

/** Merged texts of new records, which every check and column needs. */
const merged = new WeakMap<TextChanges, Texts | null>();

function isRequired(field: CompiledField): boolean {
  return field.required && field.column !== null && !field.base;
}

async function insert(operation: WriteOperation, bound: BoundModel, parsed: readonly ParsedValues[]): Promise<Id[]> {
  const { compiled } = bound;
  const rows = parsed.map((values) => rowOf(operation, bound, values));
  const columns = [...(rows[0]?.keys() ?? [])];
  operation.attempt = { model: compiled, rows, ids: [] };
  const encoded = rows.map((row) => columns.map((column) => row.get(column) ?? null));
  const ids = await insertRows(operation.transaction, compiled.table, columns, encoded, () => referredTo(bound, rows));
  operation.created(compiled, ids);
  operation.recorder(compiled)?.created(compiled, ids, columns, encoded);
  operation.touch(compiled);
  // The words of computed texts aren't known yet.
  if (compiled.search?.fields.some(({ compute }) => compute)) operation.search(compiled, ids);
  return ids;
}

/** Returns a value for every column of a new row, so that all inserts into a table have the same columns. */
function rowOf({ trial }: WriteOperation, bound: BoundModel, values: ParsedValues): Map<string, unknown> {
  const { compiled, codec, ctx } = bound;
  const languages = languagesOf(bound);
  const now = ctx.now();
  const stamps: Readonly<Record<string, unknown>> = {
    create_date: now,
    create_uid: ctx.user.id,
    write_date: now,
    write_uid: ctx.user.id,
  };
  const storedValue = (field: CompiledField): unknown => {
    const value = parsedValue(bound, field, values);
    if (field.base) return value ?? stamps[field.name] ?? null;
    if (trial && isRequired(field) && !field.compute && isEmpty(field, value)) {
      const placeholder = standIn(field) ?? null;
      return field.translated ? { [languages.fallback]: placeholder } : placeholder;
    }
    return value ?? (field.type === 'boolean' ? false : null);
  };
  const row = new Map<string, unknown>();
  for (const field of compiled.fields.values()) {
    if (field.name === 'id') continue;
    for (const [column, encoded] of columnValues(codec, field, storedValue(field))) row.set(column, encoded);
  }
  for (const [column, encoded] of searchValues(codec, compiled, languages.fallback, storedValue))
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
      const recordCommands = commands.get(field);
      return id !== undefined && recordCommands ? [{ id, commands: recordCommands }] : [];
    });
    await applyCommands(operation, bound, field, perRecord, { isNew: true });
  }
}

async function checkCreated(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  fieldNames: ReadonlySet<string>,
): Promise<void> {
  const remainingIds = operation.notDeleted(bound.compiled, ids);
  if (remainingIds.length === 0) return;
  await checkComputed(operation, bound, remainingIds);
  await requireByState(operation, bound, remainingIds);
  await requireLimited(bound, remainingIds, 'create');
  await operation.validate(bound, remainingIds, fieldNames);
}

/** Checks that required computed values aren't empty. */
export async function checkComputed(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  const { compiled, ctx } = bound;
  const fields = [...compiled.fields.values()].filter((field) => isRequired(field) && field.compute);
  if (fields.length === 0 || operation.trial) return;
  const problems = new Problems(ctx, compiled);
  const columns = fields.map(({ column }) => column ?? '');
  const rows = await selectRows(operation.transaction, compiled.table, columns, { column: 'id', ids });
  for (const row of rows) {
    for (const field of fields) {
      if (isEmpty(field, row[field.column ?? '']))
        problems.add(field.name, new FieldProblem('Fill in this field. It can’t be calculated from the other values.'));
    }
  }
  problems.throwIfAny();
}
