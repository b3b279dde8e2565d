import { didYouMean } from '@pergola/core';
import { type AnyField, type Field, f } from '../fields.ts';
import { type Declaration, declarationOf } from '../model.ts';
import type { ModelRef } from '../types.ts';
import { ancestorsOf, type Collected, type Part, type Report } from './collect.ts';
import { isFieldName } from './names.ts';

type Choices = Map<string, { label: string; addon: string; onUninstall: string | null }>;

/** A field with the changes of extensions. */
export interface MergedField {
  readonly name: string;
  readonly declared: Field;
  readonly addon: string;
  /** Added by an extension of another addon than the model's. */
  readonly isExtended: boolean;
  readonly base: boolean;
  readonly choices: Choices | null;
}

/** Origin of a set of fields merged into a model. */
interface Source {
  readonly addon: string;
  readonly isExtension: boolean;
  /** Addons whose fields it may refine. */
  readonly refinable: ReadonlySet<string>;
}

/** Fields that every record has. */
const baseFields: Readonly<Record<string, AnyField>> = {
  id: f.integer({ required: true, label: 'ID' }),
  create_date: f.datetime({ label: 'Created on', readonly: true, copy: false }),
  create_uid: f.many2one('res.users', { label: 'Created by', readonly: true, copy: false }),
  write_date: f.datetime({ label: 'Updated on', readonly: true, copy: false }),
  write_uid: f.many2one('res.users', { label: 'Updated by', readonly: true, copy: false }),
  display_name: f.char({ required: true, label: 'Name', readonly: true, copy: false }),
};

/** The addon of each declaration in a registry. */
export type AddonOf = ReadonlyMap<Declaration, string>;

/**
 * Merges the fields of a model: base fields, fields of its mixins, its own, then the fields of each extension. A later field of the same
 * name refines the earlier one: its options override, and its selection values are added.
 */
export function mergeFields(model: Collected, addonOf: AddonOf, report: Report): Map<string, MergedField> {
  const fields = new Map<string, MergedField>();
  const { owner, extensions } = model;
  for (const [name, declared] of Object.entries(baseFields)) {
    fields.set(name, { name, declared, addon: owner.addon, isExtended: false, base: true, choices: null });
  }
  const mixins = new Set<Declaration>();
  const addAll = (part: Part, isExtension: boolean) => {
    const refinable = new Set([
      owner.addon,
      part.addon,
      ...ancestorsOf(part.declaration).map((base) => addonOf.get(base) ?? ''),
    ]);
    const source = { addon: part.addon, isExtension, refinable };
    for (const mixed of mixinsOf(part, report)) {
      if (mixins.has(mixed)) continue;
      mixins.add(mixed);
      addFields(fields, mixed, source, model, report);
    }
    addFields(fields, part.declaration, source, model, report);
  };
  addAll(owner, false);
  for (const extension of extensions) addAll(extension, true);
  return fields;
}

/** Returns the mixins that a part lists, skipping references to anything else. */
export function mixinsOf({ declaration, addon }: Part, report?: Report): Declaration[] {
  return declaration.mixins.flatMap((ref: ModelRef) => {
    const mixed = declarationOf(ref);
    if (mixed?.kind === 'mixin') return [mixed];
    report?.(
      addon,
      `“${ref?.modelName}” among the mixins of “${declaration.name}” is none.`,
      'Mixins are made by mixin(…).',
    );
    return [];
  });
}

function addFields(
  fields: Map<string, MergedField>,
  declaration: Declaration,
  source: Source,
  model: Collected,
  report: Report,
): void {
  for (const [name, field] of Object.entries(declaration.fields)) {
    const existing = fields.get(name);
    const merged = existing
      ? refine(existing, field, source, model.name, report)
      : newField(name, field, source, model, report);
    if (merged) fields.set(name, merged);
  }
}

function newField(name: string, field: AnyField, source: Source, model: Collected, report: Report): MergedField | null {
  const where = `“${model.name}.${name}”`;
  if (!isFieldName(name)) {
    report(
      source.addon,
      `${where}: “${name}” cannot name a field.`,
      'Use words of small letters and digits joined by _, at most 50 letters.',
      [name],
    );
    return null;
  }
  if (field.added) {
    report(
      source.addon,
      `${where} adds to a selection that is not there.`,
      'Declare it with f.selection, or depend on the addon that brings it.',
      [name],
    );
    return null;
  }
  return {
    name,
    declared: field,
    addon: source.addon,
    isExtended: source.isExtension && source.addon !== model.owner.addon,
    base: false,
    choices: field.values ? choicesOf(field, source.addon) : null,
  };
}

function refine(
  existing: MergedField,
  field: AnyField,
  source: Source,
  model: string,
  report: Report,
): MergedField | null {
  const where = `“${model}.${existing.name}”`;
  if (existing.base) {
    report(source.addon, `${where} is kept by the core in every model.`, 'Take another name.');
    return null;
  }
  if (!source.refinable.has(existing.addon)) {
    report(
      source.addon,
      `${where} is brought by addon ${existing.addon} too, and neither knows of the other.`,
      `Extend the extension of ${existing.addon} to refine its field, or take another name.`,
      [existing.name],
    );
    return null;
  }
  const fault = refinementFault(existing, field);
  if (fault) {
    report(source.addon, `${where} ${fault}`, 'Take another name, or keep what the field is.', [existing.name]);
    return null;
  }
  if (field.added) return extendChoices(existing, field, source.addon, where, report);
  const declared = { ...existing.declared, ...field, options: { ...existing.declared.options, ...field.options } };
  return { ...existing, declared, choices: field.values ? choicesOf(field, existing.addon) : existing.choices };
}

/** Returns the reason why a field can't refine the existing one, as the rest of a sentence. */
function refinementFault(existing: MergedField, field: AnyField): string | null {
  const old = existing.declared;
  const [oldType, type] = [old, field].map((declared) => declared.custom?.name ?? declared.type);
  if (type !== oldType) return `is ${oldType} in addon ${existing.addon} and redefined as ${type}.`;
  if (field.to !== old.to) return `leads to “${old.to}” in addon ${existing.addon} and to “${field.to}” here.`;
  if (field.inverse !== old.inverse)
    return `has the inverse “${old.inverse}” in addon ${existing.addon} and “${field.inverse}” here.`;
  if (old.options.required && field.options.required === false)
    return `is required in addon ${existing.addon} and no longer here; refining only tightens.`;
  if (
    !field.added &&
    'translate' in field.options &&
    Boolean(field.options.translate) !== Boolean(old.options.translate)
  ) {
    return `is ${old.options.translate ? '' : 'not '}translated in addon ${existing.addon} and redefined.`;
  }
  const refined = { ...field, options: { ...old.options, ...field.options } };
  if (field.values && !field.added && Object.keys(field.values).join() !== Object.keys(old.values ?? {}).join()) {
    return `has other values in addon ${existing.addon}; f.selectionAdd adds to them.`;
  }
  if (hasColumn(old) !== hasColumn(refined))
    return `is ${hasColumn(old) ? '' : 'not '}kept in a column by addon ${existing.addon} and redefined.`;
  return null;
}

function extendChoices(
  existing: MergedField,
  field: AnyField,
  addon: string,
  where: string,
  report: Report,
): MergedField | null {
  if (!existing.choices) return null;
  const choices: Choices = new Map(existing.choices);
  for (const [value, label] of Object.entries(field.values ?? {})) {
    const conflict = choices.get(value);
    const onUninstall = field.added?.onUninstall[value] ?? null;
    if (conflict)
      report(addon, `${where} has the value “${value}” already, from addon ${conflict.addon}.`, 'Leave it out.');
    else choices.set(value, { label, addon, onUninstall });
    if (onUninstall !== null && !existing.choices.has(onUninstall)) {
      report(
        addon,
        `${where}: “${value}” becomes “${onUninstall}” on uninstall, which the selection below does not have.`,
        didYouMean(onUninstall, existing.choices.keys()) || `Choose one of ${[...existing.choices.keys()].join(', ')}.`,
      );
    } else if (onUninstall === null && existing.declared.options.required === true) {
      report(
        addon,
        `${where} is required, so “${value}” has to become another value on uninstall.`,
        'Name one in onUninstall.',
      );
    }
  }
  const values = Object.fromEntries([...choices].map(([value, { label }]) => [value, label]));
  return { ...existing, declared: { ...existing.declared, values }, choices };
}

function choicesOf(field: AnyField, addon: string): Choices {
  return new Map(
    Object.entries(field.values ?? {}).map(([value, label]) => [value, { label, addon, onUninstall: null }]),
  );
}

/** Whether a field with this declaration has a column in its model's table. */
export function hasColumn({ type, options }: Field): boolean {
  if (type === 'one2many' || type === 'many2many' || options.related) return false;
  return !options.compute || options.store === true;
}
