import type { CompiledField } from '../compiled.ts';
import type { ModelDraft } from './draft.ts';
import { isFault, parseOrder, resolvePath } from './paths.ts';

/**
 * Gives the char fields that sort or filter a second column of folded text: those in an order (also of lines shown elsewhere),
 * the one that names records, indexed, unique and searched ones.
 */
export function addFoldColumns(drafts: ReadonlyMap<string, ModelDraft>): void {
  const wanted = new Set<CompiledField>();
  const fieldsOf = (model: string) => drafts.get(model)?.fields;
  const want = (model: string, path: readonly string[]) => {
    const found = resolvePath(fieldsOf, model, path);
    if (isFault(found)) return;
    const field = followed(found.at(-1), drafts);
    if (field) wanted.add(field);
  };
  for (const draft of drafts.values()) {
    for (const { path } of draft.order) want(draft.name, path);
    for (const { value } of draft.search) want(draft.name, [value]);
    for (const { name } of nameSearchOf(draft)) want(draft.name, [name]);
    for (const { options, name, declared } of draft.fields.values()) {
      if (options.index || options.unique) want(draft.name, [name]);
      if (options.order && declared.to) for (const { path } of parseOrder(options.order) ?? []) want(declared.to, path);
    }
  }
  for (const field of wanted) {
    if (field.type !== 'char' || field.column === null) continue;
    drafts.get(field.model)?.fields.set(field.name, { ...field, foldColumn: `${field.column}__fold` });
  }
}

/** The kept field behind a related one. */
function followed(
  field: CompiledField | undefined,
  drafts: ReadonlyMap<string, ModelDraft>,
  depth = 0,
): CompiledField | undefined {
  if (!field?.related || depth > 10) return field;
  const path = resolvePath((model) => drafts.get(model)?.fields, field.model, field.related);
  return isFault(path) ? undefined : followed(path.at(-1), drafts, depth + 1);
}

/** The field that names a model's records, if any. */
export function nameFieldOf(draft: ModelDraft): CompiledField | null {
  return draft.fields.get(draft.options.nameField ?? 'name') ?? null;
}

/** The fields in which a model's records are looked for by name. */
export function nameSearchOf(draft: ModelDraft): readonly CompiledField[] {
  const named = draft.options.nameSearch?.flatMap((name) => draft.fields.get(name) ?? []);
  const nameField = nameFieldOf(draft);
  return named ?? (nameField ? [nameField] : []);
}
