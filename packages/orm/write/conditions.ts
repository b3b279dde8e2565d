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

/** Fields with the same condition. */
interface Conditional {
  readonly condition: Condition;
  readonly fields: readonly CompiledField[];
}

/** Fields of a model that depend on the state of its records; see `readonly`, `required` and `hidden` of {@link FieldOptions}. */
interface Conditionals {
  readonly readonly: readonly Conditional[];
  readonly required: readonly Conditional[];
  /** One2many fields of other models that hold its records as lines, with the inverse many2one. */
  readonly lines: readonly { readonly condition: Condition; readonly parentField: CompiledField }[];
}

const noConditionals: Conditionals = { readonly: [], required: [], lines: [] };

function conditionalsOf({ registry, compiled }: BoundModel): Conditionals {
  return registry.memo(`conditionals:${compiled.name}`, () => {
    const lines = [...registry.models.values()].flatMap(({ fields }) =>
      [...fields.values()].flatMap(({ relation, options }) => {
        const inverse = relation?.kind === 'one2many' && relation.to === compiled.name ? relation.inverse : '';
        const field = compiled.fields.get(inverse);
        return field && typeof options.readonly === 'object'
          ? [{ condition: options.readonly, parentField: field }]
          : [];
      }),
    );
    const conditionals = {
      readonly: groupByCondition(compiled.fields, 'readonly'),
      required: groupByCondition(compiled.fields, 'required'),
    };
    return conditionals.readonly.length + conditionals.required.length + lines.length === 0
      ? noConditionals
      : { ...conditionals, lines };
  });
}

function groupByCondition(fields: ReadonlyMap<string, CompiledField>, option: 'readonly' | 'required'): Conditional[] {
  const conditional = [...fields.values()].flatMap((field) => {
    const condition = field.options[option];
    return typeof condition === 'object' ? [{ condition, field }] : [];
  });
  return [...Map.groupBy(conditional, ({ condition }) => JSON.stringify(condition)).values()].flatMap(
    ([first, ...rest]) =>
      first ? [{ condition: first.condition, fields: [first, ...rest].map(({ field }) => field) }] : [],
  );
}

/** A record that meets a condition, with the values of the condition's fields. */
type Match = Readonly<Record<string, unknown>> & { readonly id: Id };

/**
 * Returns the records that meet a condition, whether or not the caller may see them. Reads them instead of searching, because the
 * transaction has usually cached them.
 */
async function matching(
  operation: WriteOperation,
  model: string,
  ids: readonly Id[],
  condition: Condition,
): Promise<readonly Match[]> {
  const rows = await readRecords(operation.system(model), ids, selectFor(condition));
  return rows.filter((row) => holds(condition, row)) as readonly Match[];
}

/** Returns a select for the fields of a condition. */
function selectFor(condition: Condition): SelectSpec {
  return selectPaths(condition.flatMap((term) => (typeof term === 'string' ? [] : [term[0].split('.')])));
}

function selectPaths(paths: readonly (readonly string[])[]): SelectSpec {
  const byName = Map.groupBy(paths, ([name = '']) => name);
  return Object.fromEntries(
    [...byName].map(([name, namedPaths]) => {
      const deeper = namedPaths.map(([, ...subpath]) => subpath).filter((subpath) => subpath.length > 0);
      return [name, deeper.length === 0 ? true : selectPaths(deeper)];
    }),
  );
}

/**
 * Rejects changes to fields that a record's state makes read-only, including lines. Initial values of new records aren't changes.
 *
 * @throws InvalidInput with a text per field
 */
export async function refuseFixed(
  operation: WriteOperation,
  bound: BoundModel,
  requestedIds: readonly Id[],
  values: AnyValues,
): Promise<void> {
  const { readonly } = conditionalsOf(bound);
  const { ctx, compiled } = bound;
  const affected = readonly.filter(({ fields }) => fields.some(({ name }) => values[name] !== undefined));
  const ids = affected.length === 0 ? [] : requestedIds.filter((id) => !operation.isNew(compiled, id));
  if (ids.length === 0) return;
  const problems = new Problems(ctx, compiled);
  for (const { condition, fields } of affected) {
    const fixed = await matching(operation, compiled.name, ids, condition);
    const [first] = fixed;
    if (!first) continue;
    const fixedIds = fixed.map(({ id }) => id);
    for (const field of fields) {
      const isOther =
        values[field.name] !== undefined && (await differs(operation, field, fixedIds, values[field.name]));
      if (isOther) problems.add(field.name, fixedProblem(conditionText(bound, condition, first)));
    }
  }
  problems.throwIfAny();
}

function fixedProblem(condition: string | null): FieldProblem {
  return condition === null
    ? new FieldProblem('This can no longer be changed.')
    : new FieldProblem('This can’t be changed while {condition}.', { condition });
}

/** Whether a value differs from the records' current values. */
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
    const normalized = normalize(field, value);
    return rows.some((row) => !sameValue(decodeValue(codec, field, row[column]), normalized));
  } catch (error) {
    // Invalid values are rejected elsewhere, with their own message.
    if (error instanceof FieldProblem) return false;
    throw error;
  }
}

/**
 * Rejects creating, changing, moving or deleting lines directly if the record they belong to has read-only lines.
 *
 * @param ids the existing lines
 * @param lineValues values of lines, which may contain the parent
 * @throws InvalidInput with a text for the field of the parent
 */
export async function refuseFixedLines(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  lineValues: readonly AnyValues[],
): Promise<void> {
  const { ctx, compiled } = bound;
  for (const { condition, parentField } of conditionalsOf(bound).lines) {
    const model = parentField.relation?.to ?? '';
    const parent = bindOther(bound, model);
    const target = parent.compiled;
    const column = parentField.column ?? '';
    const rows = await selectRows(operation.transaction, compiled.table, ['id', column], { column: 'id', ids });
    const parents = [
      ...rows.map((row) => row[column]),
      ...lineValues.map((values) => values[parentField.name]),
    ].flatMap((id) => (id === null || id === undefined ? [] : Number(id)));
    const old = operation.notDeleted(target, parents).filter((id) => !operation.isNew(target, id));
    const [first] = old.length === 0 ? [] : await matching(operation, model, old, condition);
    if (!first) continue;
    const description = conditionText(parent, condition, first);
    const problems = new Problems(ctx, compiled);
    problems.add(
      parentField.name,
      description === null
        ? new FieldProblem('The record it belongs to can no longer be changed.')
        : new FieldProblem('The record it belongs to can’t be changed while {condition}.', { condition: description }),
    );
    problems.throwIfAny();
  }
}

/**
 * Checks fields that are required in the records' current state.
 *
 * @throws InvalidInput with a text per field
 */
export async function requireByState(operation: WriteOperation, bound: BoundModel, ids: readonly Id[]): Promise<void> {
  if (operation.trial) return;
  const { ctx, compiled, codec } = bound;
  const problems = new Problems(ctx, compiled);
  for (const { condition, fields } of conditionalsOf(bound).required) {
    const matches = await matching(operation, compiled.name, ids, condition);
    const matchIds = matches.map(({ id }) => id);
    for (const field of matchIds.length === 0 ? [] : fields) {
      const { hidden } = field.options;
      const hiding = hidden ? await matching(operation, compiled.name, matchIds, hidden) : [];
      const unseen = new Set(hiding.map(({ id }) => id));
      const column = field.column ?? '';
      const seen = matchIds.filter((id) => !unseen.has(id));
      const rows = await selectRows(operation.transaction, compiled.table, ['id', column], { column: 'id', ids: seen });
      const missing = rows.find((row) => {
        const value = decodeValue(codec, field, row[column]);
        const text = field.translated
          ? Object.values(textsOf(value)).find((translation) => !isEmpty(field, translation))
          : value;
        return isEmpty(field, text);
      });
      const match = missing && matches.find(({ id }) => id === Number(missing.id));
      const description = match ? conditionText(bound, condition, match) : null;
      if (!missing) continue;
      problems.add(
        field.name,
        description === null
          ? new FieldProblem('Fill in this field.')
          : new FieldProblem('This is required while {condition}.', { condition: description }),
      );
    }
  }
  problems.throwIfAny();
}
