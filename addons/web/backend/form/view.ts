import { matches } from '../lib/domain.ts';
import { companionsOf } from '../lib/format.ts';
import type { Domain, FieldInfo, FormItemInfo, FormSectionInfo, ModelInfo } from '../types.ts';
import { fieldsIn } from './documents.ts';

/** Returns all items of a form, in order. */
export function itemsOf({ form }: ModelInfo): readonly FormItemInfo[] {
  return [...form.sections, ...form.tabs.flatMap(({ sections }) => sections)].flatMap(({ items }) => items);
}

/** Returns the fields used in a condition. */
function conditionFields(domain: Domain | null): readonly string[] {
  return (domain ?? []).flatMap((term) => (Array.isArray(term) ? [String(term[0]).split('.')[0] ?? ''] : []));
}

/** Returns all fields a form has to read: visible fields, fields of conditions, currencies of amounts and time zones of moments. */
export function fieldsToRead(info: ModelInfo): readonly string[] {
  const { form, fields } = info;
  const items = itemsOf(info);
  const names = [
    ...items.map(({ field }) => field),
    ...items.flatMap((item) => conditionsOf(info, item)),
    ...[...form.buttons, ...form.documents].flatMap(({ when: condition }) => conditionFields(condition)),
    ...form.documents.flatMap(({ url }) => fieldsIn(url)),
    ...[form.title, form.image, form.status].flatMap((name) => name ?? []),
    ...companions(info),
    ...(info.archives ? ['active'] : []),
    // Address on the site, for the menu.
    'website_url',
    'write_date',
  ];
  return [...new Set(names)].filter((name) => Object.hasOwn(fields, name));
}

/** Returns the currency and time zone fields of the visible amounts and moments. */
export function companions(info: ModelInfo): readonly string[] {
  return itemsOf(info).flatMap(({ field }) => {
    const definition = info.fields[field];
    return definition ? companionsOf(definition) : [];
  });
}

/** Returns the fields that decide whether an item is visible, read-only or required. */
function conditionsOf({ fields }: ModelInfo, { field, when: itemCondition }: FormItemInfo): readonly string[] {
  const definition = fields[field];
  return [itemCondition, definition?.readonlyWhen, definition?.requiredWhen, definition?.hiddenWhen].flatMap(
    (condition) => conditionFields(condition ?? null),
  );
}

/** Whether an item is visible with these values. */
function isShown(
  { fields }: Pick<ModelInfo, 'fields'>,
  { field, when: condition }: Pick<FormItemInfo, 'field' | 'when'>,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const hiddenWhen = fields[field]?.hiddenWhen ?? null;
  return (condition === null || matches(condition, values)) && (hiddenWhen === null || !matches(hiddenWhen, values));
}

/** Returns a field with its state for these values: read-only if locked, required if requested. */
export function inState(field: FieldInfo, values: Readonly<Record<string, unknown>>): FieldInfo {
  const { readonly, readonlyWhen, required, requiredWhen } = field;
  return {
    ...field,
    readonly: readonly || (readonlyWhen !== null && matches(readonlyWhen, values)),
    required: required || (requiredWhen !== null && matches(requiredWhen, values)),
  };
}

/** Returns the names of fields that are in the view, but hidden everywhere with these values. */
export function hiddenFields(info: ModelInfo, values: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const items = itemsOf(info);
  const visible = new Set(items.filter((item) => isShown(info, item, values)).map(({ field }) => field));
  return new Set(items.map(({ field }) => field).filter((field) => !visible.has(field)));
}

/** Returns the sections with visible items. */
export function shownSections(
  info: Pick<ModelInfo, 'fields'>,
  sections: readonly FormSectionInfo[],
  values: Readonly<Record<string, unknown>>,
): readonly FormSectionInfo[] {
  return sections
    .map((section) => ({ ...section, items: section.items.filter((item) => isShown(info, item, values)) }))
    .filter(({ items }) => items.length > 0);
}

/** Returns the index of a field's tab, or -1 if it is in none. */
export function tabOfField({ form }: ModelInfo, field: string): number {
  return form.tabs.findIndex(({ sections }) =>
    sections.some(({ items }) => items.some((item) => item.field === field)),
  );
}

/** Returns the fields that others depend on while typing: fields of conditions, currencies of amounts and time zones of moments. */
export function liveFields(info: ModelInfo): string[] {
  const items = itemsOf(info);
  const names = [
    ...(info.form.status ? [info.form.status] : []),
    ...items.flatMap((item) => conditionsOf(info, item)),
    ...companions(info),
  ];
  return [...new Set(names)].filter((name) => Object.hasOwn(info.fields, name));
}
