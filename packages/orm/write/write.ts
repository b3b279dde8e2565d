import { requireRight } from '../access/rights.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { refuseOwnParents } from './circles.ts';
import { refuseFixed, refuseFixedLines, requireByState } from './conditions.ts';
import { referredTo } from './conflicts.ts';
import { checkComputed, type ThroughField } from './create.ts';
import { storeComputed, withoutComputed } from './inverse.ts';
import { applyCommands } from './links.ts';
import { writeMirrored } from './mirrored.ts';
import { isEmpty } from './normalize.ts';
import type { WriteOperation } from './operation.ts';
import { FieldProblem, ofLines, Problems } from './problems.ts';
import { checkTargets, requireChangeable, requireFieldsNamed, requireLimited, requireRecords } from './rights.ts';
import { isSearched } from './search.ts';
import { selectRows, updateEach, updateRows } from './sql.ts';
import { columnValues, decodeValue, sameValue } from './stored.ts';
import { mergeTexts } from './translations.ts';
import { checkRequired, languagesOf, type ParsedValues, parseValues, withoutEmptied, writtenNames } from './values.ts';
import { keepWithin } from './within.ts';

/**
 * Writes the same values to records within an operation. Translated fields take a text in the context's language or `{ lang: text }`,
 * x2many fields ids or commands.
 */
export async function writeIn(
  operation: WriteOperation,
  bound: BoundModel,
  requestedIds: readonly Id[],
  input: AnyValues,
  origin?: ThroughField,
): Promise<void> {
  const ids = [...new Set(requestedIds)];
  requireRight(bound, 'write');
  requireChangeable(bound);
  requireFieldsNamed(bound, writtenNames(input));
  if (ids.length === 0) return;
  // If no rule applies, the number of updated rows shows whether all records exist.
  await requireLimited(bound, ids, 'write');
  const { self, compiled } = bound;
  const problems = new Problems(bound.ctx, compiled);
  const split = withoutComputed(bound, input, problems);
  const ownValues = await writeMirrored(operation, bound, ids, split.values);
  if (writtenNames(ownValues).length === 0) {
    problems.throwIfAny();
    operation.after(() => storeComputed(bound, ids, split.computed));
    return;
  }
  if (!origin?.lines) await refuseFixedLines(operation, bound, ids, [ownValues]);
  await refuseFixed(operation, bound, ids, ownValues);
  await checkTargets(bound, [ownValues], problems, origin);
  const values = await keepWithin(operation, bound, ids, await self.beforeWrite(ids, ownValues), problems);
  const parsed = parseWrite(operation, bound, values, problems);
  const changed = writtenNames(values);
  await operation.recomputation.changing(compiled, changed, ids);
  await update(operation, bound, ids, parsed);
  for (const [field, commands] of parsed.commands) {
    await applyCommands(
      operation,
      bound,
      field,
      ids.map((id) => ({ id, commands })),
      { isNew: false },
    );
  }
  await operation.recomputation.changed(compiled, changed, ids);
  if (isSearched(compiled, changed)) operation.search(compiled, ids);
  const check = (): Promise<void> => checkWritten(operation, bound, ids, changed);
  const lines = origin?.lines;
  operation.check(() => (lines ? lines.inField(() => ofLines(bound, [ids], lines.places, check)) : check()));
  operation.after(() => self.afterWrite(ids, values));
  operation.after(() => storeComputed(bound, ids, split.computed));
}

function parseWrite({ trial }: WriteOperation, bound: BoundModel, values: AnyValues, problems: Problems): ParsedValues {
  const parsed = parseValues(bound, values, problems);
  if (!trial) checkRequired(parsed, problems);
  problems.throwIfAny();
  // In a preview the user may still be typing a required value: until then the stored one stays.
  return trial ? withoutEmptied(parsed) : parsed;
}

async function update(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  { plain, texts }: ParsedValues,
): Promise<void> {
  const { compiled, codec } = bound;
  const shared = new Map<string, unknown>();
  for (const [field, value] of [...stamps(bound, plain), ...plain]) {
    for (const [column, encoded] of columnValues(codec, field, value)) shared.set(column, encoded);
  }
  operation.attempt = { model: compiled, rows: [shared], ids };
  await operation.recordUpdate(compiled, ids, shared);
  await trackPlain(operation, bound, ids, plain);
  const updatedCount = await updateRows(operation.transaction, compiled.table, shared, ids, {
    kinds: operation.kindsOf(compiled),
    refersTo: () => referredTo(bound, [shared]),
  });
  if (updatedCount < ids.length) await requireRecords(bound, ids, 'write', { evenSudo: true });
  if (texts.size > 0) await updateTexts(operation, bound, ids, texts);
  operation.touch(compiled, [...plain.keys(), ...texts.keys()]);
}

/** Sets author and time of the write, unless the values contain them. */
function stamps(
  { compiled, ctx }: BoundModel,
  writtenValues: ReadonlyMap<CompiledField, unknown>,
): [CompiledField, unknown][] {
  const values: Readonly<Record<string, unknown>> = { write_date: ctx.now(), write_uid: ctx.user.id };
  return Object.entries(values).flatMap(([name, value]): [CompiledField, unknown][] => {
    const field = compiled.fields.get(name);
    return field && field.column !== null && !writtenValues.has(field) ? [[field, value]] : [];
  });
}

/** Collects the previous values of tracked fields. */
async function trackPlain(
  operation: WriteOperation,
  { compiled, codec }: BoundModel,
  ids: readonly Id[],
  values: ReadonlyMap<CompiledField, unknown>,
): Promise<void> {
  const fields = [...values.keys()].filter(({ options }) => options.tracked);
  if (fields.length === 0) return;
  const columns = ['id', ...fields.map(({ column }) => column ?? '')];
  for (const row of await selectRows(operation.transaction, compiled.table, columns, { column: 'id', ids })) {
    for (const field of fields) {
      const before = decodeValue(codec, field, row[field.column ?? '']);
      const after = values.get(field);
      if (!sameValue(before, after)) operation.track(compiled, field, Number(row.id), before, after);
    }
  }
}

/** Translated fields keep the texts of other languages, so each row is updated separately. */
async function updateTexts(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  texts: ParsedValues['texts'],
): Promise<void> {
  const { compiled, codec, ctx } = bound;
  const problems = new Problems(ctx, compiled);
  const languages = languagesOf(bound);
  const columns = ['id', ...[...texts.keys()].map(({ column }) => column ?? '')];
  const rows = await selectRows(operation.transaction, compiled.table, columns, { column: 'id', ids });
  const updates = new Map<Id, Map<string, unknown>>();
  for (const row of rows) {
    const update = new Map<string, unknown>();
    for (const [field, changes] of texts) {
      const before = decodeValue(codec, field, row[field.column ?? '']);
      const after = problems.during(field.name, () => mergeTexts(field, before, changes, languages)) ?? null;
      if (field.required && isEmpty(field, after?.[languages.fallback]))
        problems.add(field.name, new FieldProblem('Fill in this field.'));
      if (field.options.tracked && !sameValue(before, after))
        operation.track(compiled, field, Number(row.id), before, after);
      for (const [column, encoded] of columnValues(codec, field, after)) update.set(column, encoded);
    }
    updates.set(Number(row.id), update);
  }
  problems.throwIfAny();
  operation.recorder(compiled)?.updated(compiled, rows, (id) => updates.get(id) ?? new Map());
  await updateEach(operation.transaction, compiled.table, updates, { kinds: operation.kindsOf(compiled) });
}

async function checkWritten(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  changed: readonly string[],
): Promise<void> {
  const remainingIds = operation.notDeleted(bound.compiled, ids);
  if (remainingIds.length === 0) return;
  await checkComputed(operation, bound, remainingIds);
  await requireByState(operation, bound, remainingIds);
  await requireLimited(bound, remainingIds, 'write');
  await refuseOwnParents(operation, bound, remainingIds, changed);
  await operation.validate(bound, remainingIds, changed);
}
