import { matches } from '../lib/domain.ts';
import type { Domain, FormItemInfo, FormSectionInfo, ModelInfo } from '../types.ts';

/** Every item of a form, in order. */
export function itemsOf({ form }: ModelInfo): readonly FormItemInfo[] {
  return [...form.sections, ...form.tabs.flatMap(({ sections }) => sections)].flatMap(({ items }) => items);
}

/** The fields that conditions of a view look at. */
function conditionFields(domain: Domain | null): readonly string[] {
  return (domain ?? []).flatMap((term) => (Array.isArray(term) ? [String(term[0]).split('.')[0] ?? ''] : []));
}

/** All fields a form has to read: shown ones, those that conditions look at, currencies beside amounts. */
export function fieldsToRead(info: ModelInfo): readonly string[] {
  const { form, fields } = info;
  const items = itemsOf(info);
  const wanted = [
    ...items.map(({ field }) => field),
    ...items.flatMap(({ when, readonlyWhen }) => [...conditionFields(when), ...conditionFields(readonlyWhen)]),
    ...form.buttons.flatMap(({ when }) => conditionFields(when)),
    ...[form.title, form.image, form.status].flatMap((name) => name ?? []),
    ...items.flatMap(({ field }) => fields[field]?.currencyField ?? []),
    ...(info.archives ? ['active'] : []),
    'write_date',
  ];
  return [...new Set(wanted)].filter((name) => Object.hasOwn(fields, name));
}

/** Whether an item is to be seen with these values. */
function isShown({ when }: Pick<FormItemInfo, 'when'>, values: Readonly<Record<string, unknown>>): boolean {
  return when === null || matches(when, values);
}

/** Names of fields that are in the view and not to be seen with these values, nowhere in it. */
export function hiddenFields(info: ModelInfo, values: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const items = itemsOf(info);
  const shown = new Set(items.filter((item) => isShown(item, values)).map(({ field }) => field));
  return new Set(items.map(({ field }) => field).filter((field) => !shown.has(field)));
}

/** Sections with something to be seen in them. */
export function shownSections(
  sections: readonly FormSectionInfo[],
  values: Readonly<Record<string, unknown>>,
): readonly FormSectionInfo[] {
  return sections
    .map((section) => ({ ...section, items: section.items.filter((item) => isShown(item, values)) }))
    .filter(({ items }) => items.length > 0);
}

/** In which tab a field stands; -1 for none. */
export function tabOfField({ form }: ModelInfo, field: string): number {
  return form.tabs.findIndex(({ sections }) =>
    sections.some(({ items }) => items.some((item) => item.field === field)),
  );
}

/** Fields whose values others depend on while one types: those of conditions, and currencies beside amounts. */
export function liveFields(info: ModelInfo): string[] {
  const items = itemsOf(info);
  const wanted = [
    ...items.flatMap(({ when, readonlyWhen }) => [...conditionFields(when), ...conditionFields(readonlyWhen)]),
    ...items.flatMap(({ field }) => info.fields[field]?.currencyField ?? []),
  ];
  return [...new Set(wanted)].filter((name) => Object.hasOwn(info.fields, name));
}
