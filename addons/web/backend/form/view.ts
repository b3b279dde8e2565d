import { matches } from '../lib/domain.ts';
import { companionsOf } from '../lib/format.ts';
import type { Domain, FieldInfo, FormItemInfo, FormSectionInfo, ModelInfo } from '../types.ts';
import { fieldsIn } from './documents.ts';

/** Every item of a form, in order. */
export function itemsOf({ form }: ModelInfo): readonly FormItemInfo[] {
  return [...form.sections, ...form.tabs.flatMap(({ sections }) => sections)].flatMap(({ items }) => items);
}

/** The fields that conditions of a view look at. */
function conditionFields(domain: Domain | null): readonly string[] {
  return (domain ?? []).flatMap((term) => (Array.isArray(term) ? [String(term[0]).split('.')[0] ?? ''] : []));
}

/** All fields a form has to read: shown ones, those that conditions look at, currencies of amounts, zones of moments. */
export function fieldsToRead(info: ModelInfo): readonly string[] {
  const { form, fields } = info;
  const items = itemsOf(info);
  const wanted = [
    ...items.map(({ field }) => field),
    ...items.flatMap((item) => conditionsOf(info, item)),
    ...[...form.buttons, ...form.documents].flatMap(({ when }) => conditionFields(when)),
    ...form.documents.flatMap(({ url }) => fieldsIn(url)),
    ...[form.title, form.image, form.status].flatMap((name) => name ?? []),
    ...companions(info),
    ...(info.archives ? ['active'] : []),
    // Where it is on the site, for the menu.
    'website_url',
    'write_date',
  ];
  return [...new Set(wanted)].filter((name) => Object.hasOwn(fields, name));
}

/** Currencies of amounts and zones of moments that the form shows. */
export function companions(info: ModelInfo): readonly string[] {
  return itemsOf(info).flatMap(({ field }) => {
    const about = info.fields[field];
    return about ? companionsOf(about) : [];
  });
}

/** The fields that an item is shown, locked or asked for by. */
function conditionsOf({ fields }: ModelInfo, { field, when }: FormItemInfo): readonly string[] {
  const about = fields[field];
  return [when, about?.readonlyWhen, about?.requiredWhen, about?.hiddenWhen].flatMap((one) =>
    conditionFields(one ?? null),
  );
}

/** Whether an item is to be seen with these values. */
function isShown(
  { fields }: Pick<ModelInfo, 'fields'>,
  { field, when }: Pick<FormItemInfo, 'field' | 'when'>,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const hiddenWhen = fields[field]?.hiddenWhen ?? null;
  return (when === null || matches(when, values)) && (hiddenWhen === null || !matches(hiddenWhen, values));
}

/** A field as it is with these values: what its state locks is read-only, what it asks for is required. */
export function inState(field: FieldInfo, values: Readonly<Record<string, unknown>>): FieldInfo {
  const { readonly, readonlyWhen, required, requiredWhen } = field;
  return {
    ...field,
    readonly: readonly || (readonlyWhen !== null && matches(readonlyWhen, values)),
    required: required || (requiredWhen !== null && matches(requiredWhen, values)),
  };
}

/** Names of fields that are in the view and not to be seen with these values, nowhere in it. */
export function hiddenFields(info: ModelInfo, values: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const items = itemsOf(info);
  const shown = new Set(items.filter((item) => isShown(info, item, values)).map(({ field }) => field));
  return new Set(items.map(({ field }) => field).filter((field) => !shown.has(field)));
}

/** Sections with something to be seen in them. */
export function shownSections(
  info: Pick<ModelInfo, 'fields'>,
  sections: readonly FormSectionInfo[],
  values: Readonly<Record<string, unknown>>,
): readonly FormSectionInfo[] {
  return sections
    .map((section) => ({ ...section, items: section.items.filter((item) => isShown(info, item, values)) }))
    .filter(({ items }) => items.length > 0);
}

/** In which tab a field stands; -1 for none. */
export function tabOfField({ form }: ModelInfo, field: string): number {
  return form.tabs.findIndex(({ sections }) =>
    sections.some(({ items }) => items.some((item) => item.field === field)),
  );
}

/** Fields whose values others depend on while one types: those of conditions, currencies of amounts, zones of moments. */
export function liveFields(info: ModelInfo): string[] {
  const items = itemsOf(info);
  const wanted = [
    ...(info.form.status ? [info.form.status] : []),
    ...items.flatMap((item) => conditionsOf(info, item)),
    ...companions(info),
  ];
  return [...new Set(wanted)].filter((name) => Object.hasOwn(info.fields, name));
}
