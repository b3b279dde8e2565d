import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Condition, Id } from '../fields.ts';
import { readRecords } from '../read/complete.ts';
import type { SelectSpec } from '../read/select.ts';
import type { AnyValues } from '../record-model.ts';
import { conditionText } from './condition-text.ts';
import { holds } from './holds.ts';
import { isEmpty, normalize } from './normalize.ts';
import type { WriteOperation } from './operation.ts';
import { FieldProblem, Problems } from './problems.ts';
import { selectRows } from './sql.ts';
import { decodeValue, sameValue, textsOf } from './stored.ts';

/** Fields under the same condition. */
interface Conditional {
  readonly when: Condition;
  readonly fields: readonly CompiledField[];
}

/** What of a model depends on the state of its records; see `readonly`, `required` and `hidden` of {@link FieldOptions}. */
interface Conditionals {
  readonly readonly: readonly Conditional[];
  readonly required: readonly Conditional[];
  /** Fields of other models that hold its records as lines, with the many2one that leads there. */
  readonly lines: readonly { readonly when: Condition; readonly by: CompiledField }[];
}

const none: Conditionals = { readonly: [], required: [], lines: [] };

function conditionalsOf({ registry, compiled }: BoundModel): Conditionals {
  return registry.memo(`conditionals:${compiled.name}`, () => {
    const lines = [...registry.models.values()].flatMap(({ fields }) =>
      [...fields.values()].flatMap(({ relation, options }) => {
        const by = relation?.kind === 'one2many' && relation.to === compiled.name ? relation.inverse : '';
        const field = compiled.fields.get(by);
        return field && typeof options.readonly === 'object' ? [{ when: options.readonly, by: field }] : [];
      }),
    );
    const found = { readonly: together(compiled.fields, 'readonly'), required: together(compiled.fields, 'required') };
    return found.readonly.length + found.required.length + lines.length === 0 ? none : { ...found, lines };
  });
}

function together(fields: ReadonlyMap<string, CompiledField>, option: 'readonly' | 'required'): Conditional[] {
  const conditional = [...fields.values()].flatMap((field) => {
    const when = field.options[option];
    return typeof when === 'object' ? [{ when, field }] : [];
  });
  return [...Map.groupBy(conditional, ({ when }) => JSON.stringify(when)).values()].flatMap(([first, ...rest]) =>
    first ? [{ when: first.when, fields: [first, ...rest].map(({ field }) => field) }] : [],
  );
}

/** A record for which a condition holds, with the values that it looks at. */
type Match = Readonly<Record<string, unknown>> & { readonly id: Id };

/** Those of the records that a condition holds for, whether or not the caller may see them. Read, not searched: usually the transaction knows them. */
async function matching(
  operation: WriteOperation,
  model: string,
  ids: readonly Id[],
  condition: Condition,
): Promise<readonly Match[]> {
  const rows = await readRecords(operation.system(model), ids, selectFor(condition));
  return rows.filter((row) => holds(condition, row)) as readonly Match[];
}

/** What a condition looks at. */
function selectFor(condition: Condition): SelectSpec {
  return selectPaths(condition.flatMap((term) => (typeof term === 'string' ? [] : [term[0].split('.')])));
}

function selectPaths(paths: readonly (readonly string[])[]): SelectSpec {
  const byName = Map.groupBy(paths, ([name = '']) => name);
  return Object.fromEntries(
    [...byName].map(([name, some]) => {
      const deeper = some.map(([, ...rest]) => rest).filter((rest) => rest.length > 0);
      return [name, deeper.length === 0 ? true : selectPaths(deeper)];
    }),
  );
}

/**
 * Refuses to change what the state of a record keeps as it is, and lines of a record that keeps its lines. What a record begins with is no change.
 *
 * @throws InvalidInput beside the fields
 */
export async function refuseFixed(
  operation: WriteOperation,
  bound: BoundModel,
  someIds: readonly Id[],
  values: AnyValues,
): Promise<void> {
  const { readonly } = conditionalsOf(bound);
  const { ctx, compiled } = bound;
  const named = readonly.filter(({ fields }) => fields.some(({ name }) => values[name] !== undefined));
  const ids = named.length === 0 ? [] : someIds.filter((id) => !operation.isNew(compiled, id));
  if (ids.length === 0) return;
  const problems = new Problems(ctx, compiled);
  for (const { when, fields } of named) {
    const fixed = await matching(operation, compiled.name, ids, when);
    const [first] = fixed;
    if (!first) continue;
    const fixedIds = fixed.map(({ id }) => id);
    for (const field of fields) {
      const isOther =
        values[field.name] !== undefined && (await differs(operation, field, fixedIds, values[field.name]));
      if (isOther) problems.add(field.name, fixedProblem(conditionText(bound, when, first)));
    }
  }
  problems.throwIfAny();
}

function fixedProblem(condition: string | null): FieldProblem {
  return condition === null
    ? new FieldProblem('This can no longer be changed.')
    : new FieldProblem('This can’t be changed while {condition}.', { condition });
}

/** Whether a value is another one than the records have. */
async function differs(
  { transaction, codec, registry }: WriteOperation,
  field: CompiledField,
  ids: readonly Id[],
  value: unknown,
): Promise<boolean> {
  const { column } = field;
  if (column === null || field.translated) return !Array.isArray(value) || value.length > 0;
  const { table } = registry.need(field.model);
  const rows = await selectRows(transaction, table, ['id', column], { column: 'id', ids });
  try {
    const after = normalize(field, value);
    return rows.some((row) => !sameValue(decodeValue(codec, field, row[column]), after));
  } catch (error) {
    // What is no value at all is refused for that.
    if (error instanceof FieldProblem) return false;
    throw error;
  }
}

/**
 * Refuses lines that are made, changed, moved or deleted by themselves where the record they belong to keeps its lines.
 *
 * @param ids the lines that are there already
 * @param given values of lines, which say where they go
 * @throws InvalidInput beside the field that leads to the record
 */
export async function refuseFixedLines(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  given: readonly AnyValues[],
): Promise<void> {
  const { ctx, compiled } = bound;
  for (const { when, by } of conditionalsOf(bound).lines) {
    const model = by.relation?.to ?? '';
    const parent = bindOther(bound, model);
    const target = parent.compiled;
    const column = by.column ?? '';
    const rows = await selectRows(operation.transaction, compiled.table, ['id', column], { column: 'id', ids });
    const parents = [...rows.map((row) => row[column]), ...given.map((values) => values[by.name])].flatMap((id) =>
      id === null || id === undefined ? [] : Number(id),
    );
    const old = operation.notDeleted(target, parents).filter((id) => !operation.isNew(target, id));
    const [first] = old.length === 0 ? [] : await matching(operation, model, old, when);
    if (!first) continue;
    const condition = conditionText(parent, when, first);
    const problems = new Problems(ctx, compiled);
    problems.add(
      by.name,
      condition === null
        ? new FieldProblem('The record it belongs to can no longer be changed.')
        : new FieldProblem('The record it belongs to can’t be changed while {condition}.', { condition }),
    );
    problems.throwIfAny();
  }
}

/**
 * Asks for what the state that records are in now requires.
 *
 * @throws InvalidInput beside the fields
 */
export async function requireByState(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  if (operation.trial) return;
  const { ctx, compiled, codec } = bound;
  const problems = new Problems(ctx, compiled);
  for (const { when, fields } of conditionalsOf(bound).required) {
    const matches = await matching(operation, compiled.name, ids, when);
    const asked = matches.map(({ id }) => id);
    for (const field of asked.length === 0 ? [] : fields) {
      const { hidden } = field.options;
      const hiding = hidden ? await matching(operation, compiled.name, asked, hidden) : [];
      const unseen = new Set(hiding.map(({ id }) => id));
      const column = field.column ?? '';
      const seen = asked.filter((id) => !unseen.has(id));
      const rows = await selectRows(operation.transaction, compiled.table, ['id', column], { column: 'id', ids: seen });
      const missing = rows.find((row) => {
        const value = decodeValue(codec, field, row[column]);
        const text = field.translated ? Object.values(textsOf(value)).find((one) => !isEmpty(field, one)) : value;
        return isEmpty(field, text);
      });
      const match = missing && matches.find(({ id }) => id === Number(missing.id));
      const condition = match ? conditionText(bound, when, match) : null;
      if (!missing) continue;
      problems.add(
        field.name,
        condition === null
          ? new FieldProblem('Fill in this field.')
          : new FieldProblem('This is required while {condition}.', { condition }),
      );
    }
  }
  problems.throwIfAny();
}
