import type { BoundModel, CompiledField } from '../compiled.ts';
import type { AnyValues } from '../record-model.ts';

/** The default values of the named fields; names without one are left out. Texts of translated fields are in the default language. */
export async function defaultValues(
  bound: BoundModel,
  names: readonly string[],
  given: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const field = bound.compiled.fields.get(name);
    const value = field ? await defaultOf(bound, field, given) : undefined;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** New records' values with the defaults of fields that got none. Each record asks for its own: a default may be a random token. */
export async function withDefaults(bound: BoundModel, given: readonly AnyValues[]): Promise<AnyValues[]> {
  const fields = [...bound.compiled.fields.values()].filter(
    ({ options, base }) => !base && options.default !== undefined && options.default !== null,
  );
  const complete: AnyValues[] = [];
  for (const values of given) {
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
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const usual: unknown = options.default;
  const value: unknown = typeof usual === 'function' ? await usual(ctx, given) : usual;
  return value === null ? undefined : value;
}

/** Texts in code are in the source language; a person's language falls back to it. */
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
