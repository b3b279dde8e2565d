import type { CompiledField } from '../compiled.ts';
import { isText } from '../fields.ts';
import type { ModelDraft } from './draft.ts';
import { isFault, parseOrder, resolvePath } from './paths.ts';

/**
 * Adds a second column of folded text to char fields used for sorting or filtering: fields in an order (also the order of lines in other
 * models), the name field, and indexed, unique and searched fields.
 */
export function addFoldColumns(drafts: ReadonlyMap<string, ModelDraft>): void {
  const foldFields = new Set<CompiledField>();
  const fieldsOf = (model: string) => drafts.get(model)?.fields;
  const addPath = (model: string, path: readonly string[]) => {
    const resolved = resolvePath(fieldsOf, model, path);
    if (isFault(resolved)) return;
    const field = followed(resolved.at(-1), drafts);
    if (field) foldFields.add(field);
  };
  for (const draft of drafts.values()) {
    for (const { path } of draft.order) addPath(draft.name, path);
    for (const { value } of draft.search) addPath(draft.name, [value]);
    for (const { name } of nameSearchOf(draft)) addPath(draft.name, [name]);
    for (const { options, name, declared } of draft.fields.values()) {
      if (options.index || options.unique) addPath(draft.name, [name]);
      if (options.order && declared.to)
        for (const { path } of parseOrder(options.order) ?? []) addPath(declared.to, path);
    }
  }
  for (const field of foldFields) {
    const draft = drafts.get(field.model);
    // The parts of the platform declare their own columns.
    if (!draft || draft.options.coreTable) continue;
    if (field.type !== 'char' || field.column === null || !isText(field.declared)) continue;
    draft.fields.set(field.name, { ...field, foldColumn: `${field.column}__fold` });
  }
}

/** Returns the stored field behind a related one. */
function followed(
  field: CompiledField | undefined,
  drafts: ReadonlyMap<string, ModelDraft>,
  depth = 0,
): CompiledField | undefined {
  if (!field?.related || depth > 10) return field;
  const path = resolvePath((model) => drafts.get(model)?.fields, field.model, field.related);
  return isFault(path) ? undefined : followed(path.at(-1), drafts, depth + 1);
}

/** Returns the field that names a model's records, if any. */
export function nameFieldOf(draft: ModelDraft): CompiledField | null {
  return draft.fields.get(draft.options.nameField ?? 'name') ?? null;
}

/** Returns the fields searched when a model's records are looked up by name. */
export function nameSearchOf(draft: ModelDraft): readonly CompiledField[] {
  const searchFields = draft.options.nameSearch?.flatMap((name) => draft.fields.get(name) ?? []);
  const nameField = nameFieldOf(draft);
  return searchFields ?? (nameField ? [nameField] : []);
}
