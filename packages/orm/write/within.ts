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
  /** The record's field by the target's: both lead to the same. */
  readonly pairs: readonly (readonly [key: string, by: CompiledField])[];
}

/**
 * Keeps to the choices that `within` leaves: a record that does not go with another field of its own is refused where it is given, and let go where the other
 * field changes.
 *
 * @param ids the records that change; none for a new one
 * @returns the values, with what is let go
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
    if (values[field.name] === null || (!isGiven && !pairs.some(([, by]) => typeof values[by.name] === 'number')))
      continue;
    for (const row of await rowsFor(operation, bound, ids, [field, ...pairs.map(([, by]) => by)])) {
      const now = (of: CompiledField): unknown => (of.name in values ? values[of.name] : row[of.column ?? '']) ?? null;
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
      const { within } = field.options;
      if (!within || field.relation?.kind !== 'many2one' || field.column === null) return [];
      const pairs = Object.entries(within).flatMap(([key, name]) => {
        const by = compiled.fields.get(name);
        return by?.column ? [[key, by] as const] : [];
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
  now: (of: CompiledField) => unknown,
): Promise<boolean> {
  if (target === null || !relation) return true;
  // The caller was found to be allowed to link it; what it goes with is asked on behalf of the rule.
  const { self } = bindSudo(bindOther(bound, relation.to));
  const select = Object.fromEntries(pairs.map(([key]) => [key, true as const]));
  const [row] = await self.read([Number(target)], { select });
  return pairs.every(([key, by]) => {
    const [theirs, own] = [row?.[key] ?? null, now(by)];
    return theirs === null || own === null || Number(theirs) === Number(own);
  });
}
