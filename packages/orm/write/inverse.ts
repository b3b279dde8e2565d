import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Ids } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { normalize } from './normalize.ts';
import type { Problems } from './problems.ts';

/** Values given for computed fields, which methods of the model store (`inverse`). */
export type ComputedValues = ReadonlyMap<CompiledField, unknown>;

/** Separates the values of computed fields that can be written from the others. */
export function withoutComputed(
  { compiled }: BoundModel,
  given: AnyValues,
  problems: Problems,
): { readonly values: AnyValues; readonly computed: ComputedValues } {
  const computed = new Map<CompiledField, unknown>();
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = compiled.fields.get(name);
    if (!field?.compute || !field.options.inverse) values[name] = value;
    else if (value !== undefined)
      computed.set(
        field,
        problems.during(name, () => normalize(field, value)),
      );
  }
  return { values: computed.size > 0 ? values : given, computed };
}

/** Lets the model store what was written to computed fields. */
export async function storeComputed({ self }: BoundModel, ids: Ids, computed: ComputedValues): Promise<void> {
  for (const [field, value] of computed) {
    // The build has checked that the method exists.
    const store = Reflect.get(self, field.options.inverse ?? '') as (ids: Ids, value: unknown) => Promise<void>;
    await store.call(self, ids, value);
  }
}
