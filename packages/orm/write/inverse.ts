import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Ids } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { normalize } from './normalize.ts';
import type { Problems } from './problems.ts';

/** Values for computed fields with an `inverse` method. */
export type ComputedValues = ReadonlyMap<CompiledField, unknown>;

/** Separates values of writable computed fields from the others. */
export function withoutComputed(
  { compiled }: BoundModel,
  recordValues: AnyValues,
  problems: Problems,
): { readonly values: AnyValues; readonly computed: ComputedValues } {
  const computed = new Map<CompiledField, unknown>();
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(recordValues)) {
    const field = compiled.fields.get(name);
    if (!field?.compute || !field.options.inverse) values[name] = value;
    else if (value !== undefined)
      computed.set(
        field,
        problems.during(name, () => normalize(field, value)),
      );
  }
  return { values: computed.size > 0 ? values : recordValues, computed };
}

/** Calls the model's methods that store written values of computed fields. */
export async function storeComputed({ self }: BoundModel, ids: Ids, computed: ComputedValues): Promise<void> {
  for (const [field, value] of computed) {
    // Checked when the registry was built.
    const store = Reflect.get(self, field.options.inverse ?? '') as (ids: Ids, value: unknown) => Promise<void>;
    await store.call(self, ids, value);
  }
}
