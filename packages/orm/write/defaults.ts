import type { BoundModel, CompiledField } from '../compiled.ts';
import type { AnyValues } from '../record-model.ts';

/** Returns the default values of the named fields; omits fields without one. Texts of translated fields are in the default language. */
export async function defaultValues(
  bound: BoundModel,
  names: readonly string[],
  recordValues: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const field = bound.compiled.fields.get(name);
    const value = field ? await defaultOf(bound, field, recordValues) : undefined;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Adds default values to new records. Defaults are evaluated per record: one may be a random token. */
export async function withDefaults(bound: BoundModel, records: readonly AnyValues[]): Promise<AnyValues[]> {
  const fields = [...bound.compiled.fields.values()].filter(
    ({ options, base }) => !base && options.default !== undefined && options.default !== null,
  );
  const complete: AnyValues[] = [];
  for (const values of records) {
    const missing: Record<string, unknown> = {};
    for (const field of fields) {
      if (!Object.hasOwn(values, field.name) || values[field.name] === undefined) {
        const value = await defaultOf(bound, field, values);
        if (value !== undefined) missing[field.name] = inDefaultLanguage(bound, field, value);
      }
    }
    complete.push({ ...missing, ...withoutUndefined(values) });
  }
  return complete;
}

async function defaultOf(
  { ctx }: BoundModel,
  { options }: CompiledField,
  recordValues: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const defaultValue: unknown = options.default;
  const value: unknown = typeof defaultValue === 'function' ? await defaultValue(ctx, recordValues) : defaultValue;
  return value === null ? undefined : value;
}

/** Texts in code are in the source language, which users' languages fall back to. */
export function inDefaultLanguage(
  { registry }: Pick<BoundModel, 'registry'>,
  field: CompiledField,
  value: unknown,
): unknown {
  return field.translated && typeof value === 'string' ? { [registry.defaultLanguage]: value } : value;
}

function withoutUndefined(values: AnyValues): AnyValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
