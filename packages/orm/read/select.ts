import { type ErrorDetails, WrongCode } from '@pergola/core';
import { isRestricted } from '../access/rights.ts';
import { hasOwn } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import { fieldOf, realPath } from '../domain/compile.ts';
import type { Id } from '../fields.ts';
import { cachedPlan } from './plan-cache.ts';

/** Fields to read, loosely typed: names with `true`, a nested select, or `via(extension, select)`. */
export interface SelectSpec {
  readonly [name: string]: true | SelectSpec | { readonly $via: string; readonly select: SelectSpec };
}

/** A row returned by `find`. */
export interface PlainRow {
  readonly id: Id;
  [name: string | symbol]: unknown;
}

/** Fields of a select by how they are read: from the model's own table, calculated, or read afterwards. */
export interface SelectPlan {
  /** Read with the row. */
  readonly columns: readonly CompiledField[];
  /** Calculated by the model's methods. */
  readonly computed: readonly string[];
  /** Related fields read by the same statement, with their path: many2one fields, then the field with the value. */
  readonly behind: readonly { readonly name: string; readonly path: readonly CompiledField[] }[];
  /** Other related fields, read afterwards. */
  readonly related: readonly string[];
  /** Fields that lead to other records and aren't read as plain columns. */
  readonly relations: readonly CompiledField[];
  /** Source of the record's name: the model's method, or the name field; null if it isn't requested. */
  readonly displayName: 'method' | CompiledField | 'id' | null;
  /** The name field is read without being requested under its own name. */
  readonly hiddenName: boolean;
  /** Not stored anywhere: base fields of a core table. */
  readonly empty: readonly string[];
  /** Fields that only some users may read: secret ones, or with groups. */
  readonly restricted: readonly CompiledField[];
}

/** Names of a select and whether they are nested: equal texts read the same columns of the table. */
function selectShape(select: SelectSpec): string {
  let shape = '';
  for (const name in select) shape += select[name] === true ? `${name},` : `${name}>,`;
  return shape;
}

/** Returns how a select is read, cached by its shape. */
export function selected(bound: BoundModel, select: SelectSpec): { shape: string; plan: SelectPlan } {
  const shape = selectShape(select);
  return { shape, plan: cachedPlan(bound, `select|${bound.compiled.name}|${shape}`, () => planSelect(bound, select)) };
}

/** Returns the nested select of a relation, or null if its ids are enough. */
export function deeper(nested: SelectSpec[string] | undefined): SelectSpec | null {
  if (nested === undefined || nested === true) return null;
  return '$via' in nested && typeof nested.$via === 'string' ? (nested.select as SelectSpec) : (nested as SelectSpec);
}

/**
 * Sorts the fields of a select by how they are read.
 *
 * @throws WrongCode for unknown fields
 */
function planSelect(bound: BoundModel, select: SelectSpec): SelectPlan {
  const { compiled, registry } = bound;
  const columns = new Set<CompiledField>();
  const paths = new Map<string, readonly CompiledField[]>();
  const plan = {
    computed: new Set<string>(),
    related: new Set<string>(),
    empty: [] as string[],
    relations: [] as CompiledField[],
    restricted: [] as CompiledField[],
  };
  const take = (field: CompiledField) => {
    if (isRestricted(field)) plan.restricted.push(field);
    const path = field.related ? columnPath(bound, compiled.name, field.related) : null;
    if (path) paths.set(field.name, path);
    else if (field.related) plan.related.add(field.name);
    else if (field.compute && (!field.stored || registry.pendingFields.has(`${field.model}.${field.name}`)))
      plan.computed.add(field.name);
    else if (field.column !== null) columns.add(field);
    else if (!field.stored && field.relation?.kind !== 'one2many') plan.empty.push(field.name);
  };
  for (const name of Object.keys(select)) {
    const field = fieldOf(compiled, name);
    if (field.name === 'display_name') continue;
    take(field);
    if (field.relation && (select[name] !== true || field.relation.kind !== 'many2one')) plan.relations.push(field);
    else if (select[name] !== true)
      throw new WrongCode(`“${compiled.name}.${name}” leads to no records, so nothing can be read behind it.`);
  }
  const displayName = 'display_name' in select ? nameSource(bound) : null;
  const isField = displayName !== null && typeof displayName === 'object';
  if (isField) take(displayName);
  return {
    columns: [...columns],
    computed: [...plan.computed],
    behind: [...paths].map(([name, path]) => ({ name, path })),
    related: [...plan.related],
    relations: plan.relations,
    empty: plan.empty,
    displayName,
    hiddenName: isField && !(displayName.name in select),
    restricted: plan.restricted.filter((field) => !isField || field !== displayName || field.name in select),
  };
}

/** Returns the fields along a path of columns, following related fields; null if its end is calculated or holds several records. */
function columnPath(bound: BoundModel, model: string, path: readonly string[]): CompiledField[] | null {
  const { registry } = bound;
  const [name = '', ...rest] = path;
  const currentModel = registry.models.get(model);
  const field = currentModel?.fields.get(name);
  if (!currentModel || !field || registry.pendingFields.has(`${model}.${name}`)) return null;
  const real = realPath(field, currentModel);
  if (real) return columnPath(bound, model, [...real, ...rest]);
  if (field.column === null) return null;
  if (rest.length === 0) return [field];
  const tail = field.relation?.kind === 'many2one' ? columnPath(bound, field.relation.to, rest) : null;
  return tail && [field, ...tail];
}

function nameSource({ compiled }: BoundModel): 'method' | CompiledField | 'id' {
  if (hasOwn(compiled, 'displayNames')) return 'method';
  // A name behind a relation needs a separate query.
  return compiled.nameField?.relation ? 'method' : (compiled.nameField ?? 'id');
}

/** Details of an InvalidInput about a field that can't be read this way. */
export function aboutSelect(params: Readonly<Record<string, string | number>> = {}): ErrorDetails {
  return { code: 'core.bad_select', params };
}
