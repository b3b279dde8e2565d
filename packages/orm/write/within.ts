import { bindOther, bindSudo } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { WriteOperation } from './operation.ts';
import { FieldProblem, type Problems } from './problems.ts';
import { selectRows } from './sql.ts';

/** A many2one whose choices depend on other fields of its record. */
interface Dependent {
  readonly field: CompiledField;
  /** The record's field by the target's field: both must have the same value. */
  readonly pairs: readonly (readonly [key: string, recordField: CompiledField])[];
}

/**
 * Enforces `within`: a linked record that doesn't match the record's other fields is rejected if it was written, and cleared if one of
 * those fields changes.
 *
 * @param ids the records that change; empty for a new one
 * @returns the values, including cleared links
 */
export async function keepWithin(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  values: AnyValues,
  problems: Problems,
): Promise<AnyValues> {
  const emptied: Record<string, null> = {};
  for (const { field, pairs } of dependentsOf(bound)) {
    const isGiven = typeof values[field.name] === 'number';
    if (
      values[field.name] === null ||
      (!isGiven && !pairs.some(([, recordField]) => typeof values[recordField.name] === 'number'))
    )
      continue;
    for (const row of await rowsFor(operation, bound, ids, [field, ...pairs.map(([, recordField]) => recordField)])) {
      const now = (sourceField: CompiledField): unknown =>
        (sourceField.name in values ? values[sourceField.name] : row[sourceField.column ?? '']) ?? null;
      if (await fits(bound, field, now(field), pairs, now)) continue;
      if (!isGiven) emptied[field.name] = null;
      else problems.add(field.name, new FieldProblem('This choice doesn’t match the other fields.'));
    }
  }
  return { ...values, ...emptied };
}

function dependentsOf({ registry, compiled }: BoundModel): readonly Dependent[] {
  return registry.memo(`within:${compiled.name}`, () =>
    [...compiled.fields.values()].flatMap((field) => {
      const { within: sharedFields } = field.options;
      if (!sharedFields || field.relation?.kind !== 'many2one' || field.column === null) return [];
      const pairs = Object.entries(sharedFields).flatMap(([key, name]) => {
        const recordField = compiled.fields.get(name);
        return recordField?.column ? [[key, recordField] as const] : [];
      });
      return [{ field, pairs }];
    }),
  );
}

async function rowsFor(
  { transaction }: WriteOperation,
  { compiled }: BoundModel,
  ids: readonly Id[],
  fields: readonly CompiledField[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (ids.length === 0) return [{}];
  const columns = ['id', ...fields.map(({ column }) => column ?? '')];
  return selectRows(transaction, compiled.table, columns, { column: 'id', ids });
}

async function fits(
  bound: BoundModel,
  { relation }: CompiledField,
  target: unknown,
  pairs: Dependent['pairs'],
  now: (sourceField: CompiledField) => unknown,
): Promise<boolean> {
  if (target === null || !relation) return true;
  // The caller's right to link it was checked before; its other fields are read on behalf of the rule.
  const { self } = bindSudo(bindOther(bound, relation.to));
  const select = Object.fromEntries(pairs.map(([key]) => [key, true as const]));
  const [row] = await self.read([Number(target)], { select });
  return pairs.every(([key, recordField]) => {
    const [targetValue, recordValue] = [row?.[key] ?? null, now(recordField)];
    return targetValue === null || recordValue === null || Number(targetValue) === Number(recordValue);
  });
}
