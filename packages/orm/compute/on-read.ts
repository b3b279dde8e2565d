import { boundOf, systemContext, unscoped } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import type { PlainRow, SelectSpec } from '../read/select.ts';
import { batches } from '../write/sql.ts';
import { computeBatch, computeValues } from './values.ts';

type ValuesByField = Map<string, Map<Id, unknown>>;

/**
 * Calculates computed fields that aren't stored, for all records at once, with the caller's access to their inputs; also stored fields
 * whose columns aren't filled yet, with system access. Values by field name, then by record.
 */
export async function computeOnRead(
  bound: BoundModel,
  fieldNames: readonly string[],
  ids: Ids,
): Promise<ValuesByField> {
  const values: ValuesByField = new Map(fieldNames.map((name) => [name, new Map()]));
  const fields = fieldNames.flatMap((name) => bound.compiled.fields.get(name) ?? []);
  const [storedFields = [], unstoredFields = []] = [true, false].map((stored) =>
    fields.filter((field) => field.stored === stored),
  );
  await computeFor(unscoped(bound), unstoredFields, ids, values);
  if (storedFields.length > 0) await computeFor(systemBound(bound), storedFields, ids, values);
  return values;
}

function systemBound({ ctx, registry, compiled }: BoundModel): BoundModel {
  return boundOf(registry.bind(systemContext(ctx, registry), compiled.name));
}

async function computeFor(
  bound: BoundModel,
  computedFields: readonly CompiledField[],
  ids: Ids,
  values: ValuesByField,
): Promise<void> {
  for (const [method, fields] of Map.groupBy(computedFields, ({ compute }) => compute ?? '')) {
    for (const batch of batches(ids, computeBatch)) {
      const computed = await computeValues(bound, method, fields, batch, isShared(bound, method));
      for (const [name, fieldValues] of computed) {
        const target = values.get(name);
        for (const [id, value] of fieldValues) target?.set(id, value);
      }
    }
  }
}

/** Whether several fields of the model share the method, so that it returns an object for each record. */
function isShared({ compiled, registry }: BoundModel, method: string): boolean {
  return registry.memo(`shared:${compiled.name}:${method}`, () => {
    return [...compiled.fields.values()].filter(({ compute }) => compute === method).length > 1;
  });
}

/**
 * Returns the values of related fields, read along their paths with one query per relation: null (false for a boolean, an empty list for
 * x2many) if the path ends early or the caller may not see its end. `read` is the function that reads records by id and calls this one.
 */
export async function relatedOnRead(
  bound: BoundModel,
  fieldNames: readonly string[],
  ids: Ids,
  read: (bound: BoundModel, ids: Ids, select: SelectSpec) => Promise<PlainRow[]>,
): Promise<ValuesByField> {
  const fields = fieldNames.flatMap((name) => bound.compiled.fields.get(name) ?? []);
  const select = fields.reduce<SelectSpec>((tree, { related }) => graft(tree, related ?? []), {});
  const rows = await read(bound, [...new Set(ids)], select);
  return new Map(
    fields.map((field) => [field.name, new Map(rows.map((row) => [row.id, follow(row, field)] as const))]),
  );
}

/** Adds a path to a select: `{ a: { b: true } }` and `a.c` become `{ a: { b: true, c: true } }`. */
function graft(tree: SelectSpec, [name, ...rest]: readonly string[]): SelectSpec {
  if (name === undefined) return tree;
  const subtree = tree[name];
  if (rest.length === 0) return subtree === undefined ? { ...tree, [name]: true } : tree;
  const branch = typeof subtree === 'object' && !('$via' in subtree) ? (subtree as SelectSpec) : {};
  return { ...tree, [name]: graft(branch, rest) };
}

function follow(row: unknown, field: CompiledField): unknown {
  let current: unknown = row;
  const path = field.related ?? [];
  for (const [position, name] of path.entries()) {
    if (typeof current !== 'object' || current === null) return empty(field);
    current = Reflect.get(current, name);
    // A many2one may have been read with nested fields, because the path of another related field continues through it.
    const isLast = position === path.length - 1;
    if (isLast && field.relation?.kind === 'many2one' && typeof current === 'object' && current !== null)
      return Reflect.get(current, 'id');
  }
  return current ?? empty(field);
}

function empty(field: CompiledField): unknown {
  if (field.type === 'boolean') return false;
  return field.type === 'one2many' || field.type === 'many2many' ? [] : null;
}
