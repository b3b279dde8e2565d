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
import { givenNames, languagesOf, type ParsedValues, parseValues } from './values.ts';
import { keepWithin } from './within.ts';

/** How records are written on behalf of another one. */
export interface ThroughField {
  /** Fields whose value the core gives, so that the caller needs no right to read its target. */
  readonly trusted: ReadonlySet<string>;
  /** Lines that are written through the field of another record. */
  readonly lines?: LinePlaces;
}

/** What is wrong with lines is said of where they stand. */
export interface LinePlaces {
  /** Of each line in what the field was given. */
  readonly places: readonly number[];
  /** Runs what comes later; what is wrong with the lines is said of the field. */
  said<T>(work: () => Promise<T>): Promise<T>;
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
  if (!through?.lines) await refuseFixedLines(operation, bound, [], given);
  const split = given.map((values) => withoutComputed(bound, values, problems));
  const own = await createMirrored(
    operation,
    bound,
    split.map(({ values }) => values),
  );
  await checkTargets(bound, own, problems, through);
  const lines = through?.lines;
  const values = lines
    ? await ofLines(bound, own, lines.places, (some) => self.beforeCreate(some))
    : await self.beforeCreate(own);
  if (values.length !== given.length) {
    throw new TypeError(
      `beforeCreate of “${compiled.name}” got ${given.length} records and answered ${values.length}.`,
    );
  }
  const complete = await withDefaults(bound, values);
  for (const [index, one] of complete.entries()) {
    const own = lines ? new Problems(bound.ctx, compiled) : problems;
    await keepWithin(operation, bound, [], one, own);
    if (lines && own.any) problems.takeOver(String(lines.places[index] ?? index), own.error());
  }
  const parsed = parseAll(operation, bound, complete, problems, lines?.places);
  const ids = await insert(operation, bound, parsed);
  await operation.recomputation.created(compiled, ids);
  await applyAllCommands(operation, bound, ids, parsed);
  const names = new Set(complete.flatMap(givenNames));
  operation.check(() => {
    if (!lines) return checkCreated(operation, bound, ids, names);
    return lines.said(() => ofLines(bound, ids, lines.places, (some) => checkCreated(operation, bound, some, names)));
  });
  operation.after(() => self.afterCreate(ids, complete));
  for (const [index, { computed }] of split.entries()) {
    const id = ids[index];
    if (id !== undefined && computed.size > 0) operation.after(() => storeComputed(bound, [id], computed));
  }
  return ids;
}

/** Everything that is wrong with all records is said at once; of lines by where they stand. */
function parseAll(
  operation: WriteOperation,
  bound: BoundModel,
  given: readonly AnyValues[],
  problems: Problems,
  places?: readonly number[],
): ParsedValues[] {
  const parsed = given.map((values, index) => {
    const own = places ? new Problems(bound.ctx, bound.compiled) : problems;
    const one = parseOne(operation, bound, values, own);
    if (places && own.any) problems.takeOver(String(places[index] ?? index), own.error());
    return one;
  });
  problems.throwIfAny();
  return parsed;
}

function parseOne({ trial }: WriteOperation, bound: BoundModel, values: AnyValues, problems: Problems): ParsedValues {
  const one = parseValues(bound, values, problems);
  for (const field of one.texts.keys()) problems.during(field.name, () => givenValue(bound, field, one));
  for (const field of bound.compiled.fields.values()) {
    if (!isRequired(field) || field.compute || (trial && standIn(field) !== undefined)) continue;
    if (
      isEmpty(
        field,
        problems.during(field.name, () => givenValue(bound, field, one)),
      )
    )
      problems.add(field.name, new FieldProblem('Fill in this field.'));
  }
  return one;
}

function givenValue(bound: BoundModel, field: CompiledField, { plain, texts }: ParsedValues): unknown {
  if (!field.translated) return plain.get(field);
  const changes = texts.get(field);
  if (!changes) return null;
  const known = merged.get(changes);
  if (known !== undefined) return known;
  const value = mergeTexts(field, null, changes, languagesOf(bound));
  merged.set(changes, value);
  return value;
}

/** What texts come to: asked for by each check and column of a new record. */
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
  operation.touch(compiled);
  // What a computed text says is not known yet.
  if (compiled.search?.fields.some(({ compute }) => compute)) operation.search(compiled, ids);
  return ids;
}

/** Every column of a new row, so that all rows of a table are inserted alike. */
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
  const keptValue = (field: CompiledField): unknown => {
    const given = givenValue(bound, field, values);
    if (field.base) return given ?? stamps[field.name] ?? null;
    if (trial && isRequired(field) && !field.compute && isEmpty(field, given)) {
      const nothing = standIn(field) ?? null;
      return field.translated ? { [languages.fallback]: nothing } : nothing;
    }
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
  await requireByState(operation, bound, left);
  await requireLimited(bound, left, 'create');
  await operation.validate(bound, left, given);
}

/** Required values that are worked out have to be there in the end. */
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
