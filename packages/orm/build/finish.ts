import type { CodeMeter, Ctx } from '@pergola/core';
import { didYouMean } from '@pergola/core';
import type { CompiledField, CompiledModel, CompiledSearch, CompiledUnique } from '../compiled.ts';
import { type Field, humanize, isText } from '../fields.ts';
import type { Declaration } from '../model.ts';
import type { Ctor } from '../types.ts';
import type { Collected, Report } from './collect.ts';
import type { ModelDraft } from './draft.ts';
import { nameFieldOf, nameSearchOf } from './fold-columns.ts';
import { guardMethods } from './guard-methods.ts';
import { mixinsOf } from './merge-fields.ts';
import { joined } from './names.ts';

type Measured = CodeMeter['methods'];

/** Turns a checked draft into a model. */
export function finishModel(
  draft: ModelDraft,
  {
    languages,
    measured,
    report,
  }: { readonly languages: readonly string[]; readonly measured: Measured; readonly report: Report },
): CompiledModel {
  const { collected, name, table, options, fields } = draft;
  const computes = new Set([...fields.values()].flatMap(({ compute }) => compute ?? []));
  const Class = buildClass(collected, computes, measured);
  checkMethods(draft, Class.prototype, report);
  for (const field of fields.values()) Object.freeze(field);
  return Object.freeze({
    name,
    table,
    addon: collected.owner.addon,
    extensions: [...new Set(collected.extensions.map(({ addon }) => addon))],
    label: options.label ?? humanize(name.split('.').at(-1) ?? name),
    options,
    order: draft.order,
    nameField: nameFieldOf(draft),
    nameSearch: nameSearchOf(draft),
    fields,
    declared: declaredFields(fields),
    search: searchOf(draft, languages),
    unique: uniqueOf(draft),
    indexes: draft.indexes.map(({ value, addon }) => ({ columns: value, addon })),
    volatile: options.volatile === true,
    activeField: fields.get('active')?.type === 'boolean' && fields.get('active')?.column != null,
    mixins: draft.mixins,
    Class,
  });
}

/** Without a prototype, so that names from outside only match fields. */
function declaredFields(fields: ReadonlyMap<string, CompiledField>): Record<string, Field> {
  const declared: Record<string, Field> = Object.create(null);
  for (const [name, field] of fields) declared[name] = field.declared;
  return Object.freeze(declared);
}

function searchOf(draft: ModelDraft, languages: readonly string[]): CompiledSearch | null {
  const names = new Set(draft.search.map(({ value }) => value));
  const fields = [...names].flatMap((name) => draft.fields.get(name) ?? []);
  if (fields.length === 0) return null;
  const isTranslated = fields.some(({ translated }) => translated);
  const columns = new Map(
    isTranslated
      ? languages.map((lang) => [lang, `words__${lang.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`] as const)
      : [['', 'words__text'] as const],
  );
  const indexes = new Map([...columns].map(([lang, column]) => [lang, joined(draft.table, column, 'fts')] as const));
  return { fields, columns, indexes };
}

function uniqueOf(draft: ModelDraft): CompiledUnique[] {
  const single = [...draft.fields.values()]
    .filter(({ options, column }) => options.unique && column !== null)
    .map((field) => ({ value: { fields: [field.name] } }));
  return [...single, ...draft.unique].map(({ value }) => {
    const fields = value.fields.flatMap((name) => draft.fields.get(name) ?? []);
    const columns = fields.flatMap(({ column }) => column ?? []);
    const condition = 'where' in value && value.where ? draft.fields.get(value.where) : undefined;
    const only = fields.length === 1 && fields[0] && isText(fields[0].declared) ? fields[0] : undefined;
    return {
      name: joined(draft.table, ...columns, ...(condition ? [condition.name] : []), 'uniq'),
      columns,
      where: whereFilled(condition ?? only),
      message: 'message' in value ? (value.message ?? null) : null,
    };
  });
}

/** SQL condition for "is true" or "is not empty". */
function whereFilled(field: CompiledField | undefined): string | null {
  if (!field?.column) return null;
  if (field.type === 'boolean') return `"${field.column}"`;
  return field.kind === 'text' ? `"${field.column}" <> ''` : `"${field.column}" is not null`;
}

/** Checks that the model has the methods named by its computed fields. */
function checkMethods(draft: ModelDraft, prototype: object, report: Report): void {
  for (const { compute, options, addon, name } of draft.fields.values()) {
    if (compute === null) continue;
    const { inverse } = options;
    if (inverse && typeof Reflect.get(prototype, inverse) !== 'function')
      report(
        addon,
        `“${draft.name}.${name}” is stored by ${inverse}(), which the model doesn’t have.`,
        didYouMean(inverse, methodNames(prototype)) || `Add the method: async ${inverse}(ids, value).`,
      );
    if (typeof Reflect.get(prototype, compute) === 'function') continue;
    report(
      addon,
      `“${draft.name}.${name}” is worked out by ${compute}(), which the model does not have.`,
      didYouMean(compute, methodNames(prototype)) ||
        `Add the method: async ${compute}(ids) returns a Map of values by id.`,
    );
  }
}

/** Names of a model's methods, including inherited ones. */
export function methodNames(prototype: object | null): string[] {
  if (prototype === null || prototype === Object.prototype) return [];
  return [...Object.getOwnPropertyNames(prototype), ...methodNames(Object.getPrototypeOf(prototype))];
}

/**
 * Builds a model's class for one registry: the extensions' methods on top of the declared class, each calling the previous as `super`.
 *
 * ```
 * extension of addon B  ─▶  extension of addon A  ─▶  mixins of A's extension  ─▶  declared class  ─▶  its mixins  ─▶  RecordModel
 * ```
 */
function buildClass(
  { owner, extensions }: Collected,
  computes: ReadonlySet<string>,
  measured: Measured,
): CompiledModel['Class'] {
  const applied = new Set<Declaration>(mixinsOf(owner));
  let Class = measured(owner.addon, owner.ref as Ctor<unknown>);
  for (const extension of extensions) {
    for (const mixed of mixinsOf(extension)) {
      if (applied.has(mixed)) continue;
      applied.add(mixed);
      if (mixed.extension) Class = measured(extension.addon, mixed.extension(Class));
    }
    const { extension: extended } = extension.declaration;
    if (!extended) continue;
    const Below = Class;
    Class = extended(Class);
    guardMethods(Class, Below, extension, computes);
  }
  return asModelClass(Class);
}

/** Every class of a registry extends `RecordModel`, which `model(…)` added. */
function asModelClass(Class: new (ctx: Ctx) => unknown): CompiledModel['Class'] {
  return Class as CompiledModel['Class'];
}
