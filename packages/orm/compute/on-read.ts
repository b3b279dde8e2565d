import { boundOf, systemContext, unscoped } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import type { PlainRow, SelectSpec } from '../read/select.ts';
import { batches } from '../write/sql.ts';
import { computeBatch, computeValues } from './values.ts';

type ValuesByField = Map<string, Map<Id, unknown>>;

/**
 * The values of computed fields that are not kept, worked out for all records at once, as the caller may see what they are made of; and of those that
 * are kept but not right yet, as they will be for everybody. By field name, then by record.
 */
export async function computeOnRead(
  bound: BoundModel,
  fieldNames: readonly string[],
  ids: Ids,
): Promise<ValuesByField> {
  const values: ValuesByField = new Map(fieldNames.map((name) => [name, new Map()]));
  const asked = fieldNames.flatMap((name) => bound.compiled.fields.get(name) ?? []);
  const [kept = [], other = []] = [true, false].map((stored) => asked.filter((field) => field.stored === stored));
  await computeFor(unscoped(bound), other, ids, values);
  if (kept.length > 0) await computeFor(systemBound(bound), kept, ids, values);
  return values;
}

function systemBound({ ctx, registry, compiled }: BoundModel): BoundModel {
  return boundOf(registry.bind(systemContext(ctx, registry), compiled.name));
}

async function computeFor(
  bound: BoundModel,
  asked: readonly CompiledField[],
  ids: Ids,
  values: ValuesByField,
): Promise<void> {
  for (const [method, fields] of Map.groupBy(asked, ({ compute }) => compute ?? '')) {
    for (const batch of batches(ids, computeBatch)) {
      const computed = await computeValues(bound, method, fields, batch, isShared(bound, method));
      for (const [name, ofField] of computed) {
        const target = values.get(name);
        for (const [id, value] of ofField) target?.set(id, value);
      }
    }
  }
}

/** Several fields of the model name the method, so it answers an object for each record. */
function isShared({ compiled, registry }: BoundModel, method: string): boolean {
  return registry.memo(`shared:${compiled.name}:${method}`, () => {
    return [...compiled.fields.values()].filter(({ compute }) => compute === method).length > 1;
  });
}

/**
 * The values of related fields, read along their paths with one query per relation: null (false for a boolean, nothing for lists) where the
 * path ends early or leads to what the caller may not see. `read` is how records are read by id, of which this is a part.
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

/** The select with a path added: `{ a: { b: true } }` and `a.c` make `{ a: { b: true, c: true } }`. */
function graft(tree: SelectSpec, [name, ...rest]: readonly string[]): SelectSpec {
  if (name === undefined) return tree;
  const below = tree[name];
  if (rest.length === 0) return below === undefined ? { ...tree, [name]: true } : tree;
  const branch = typeof below === 'object' && !('$via' in below) ? (below as SelectSpec) : {};
  return { ...tree, [name]: graft(branch, rest) };
}

function follow(row: unknown, field: CompiledField): unknown {
  let here: unknown = row;
  const path = field.related ?? [];
  for (const [position, name] of path.entries()) {
    if (typeof here !== 'object' || here === null) return empty(field);
    here = Reflect.get(here, name);
    // A many2one that another related field goes through was read deeper than here.
    const isLast = position === path.length - 1;
    if (isLast && field.relation?.kind === 'many2one' && typeof here === 'object' && here !== null)
      return Reflect.get(here, 'id');
  }
  return here ?? empty(field);
}

function empty(field: CompiledField): unknown {
  if (field.type === 'boolean') return false;
  return field.type === 'one2many' || field.type === 'many2many' ? [] : null;
}
