import { type ErrorDetails, WrongCode } from '@pergola/core';
import { isRestricted } from '../access/rights.ts';
import { hasOwn } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import { fieldOf, realPath } from '../domain/compile.ts';
import type { Id } from '../fields.ts';
import { kept } from './plan-cache.ts';

/** What to read of a model, loosely: field names with `true`, a deeper select, or `via(extension, select)`. */
export interface SelectSpec {
  readonly [name: string]: true | SelectSpec | { readonly $via: string; readonly select: SelectSpec };
}

/** A row as `find` gives it. */
export interface PlainRow {
  readonly id: Id;
  [name: string | symbol]: unknown;
}

/** What of a select the model's own table answers, and what is worked out or read afterwards. */
export interface SelectPlan {
  /** Read with the row. */
  readonly columns: readonly CompiledField[];
  /** Worked out by the model's methods. */
  readonly computed: readonly string[];
  /** Related fields that the same statement reads, with the fields along the way: many2one fields, then the one with the value. */
  readonly behind: readonly { readonly name: string; readonly path: readonly CompiledField[] }[];
  /** Other related fields, read afterwards. */
  readonly related: readonly string[];
  /** Fields that lead to other records and are not in a column as they are asked for. */
  readonly relations: readonly CompiledField[];
  /** The record's name: by the model's method, or from the field that names it; `null` when not asked for. */
  readonly displayName: 'method' | CompiledField | 'id' | null;
  /** The name is read but was not asked for under its own name. */
  readonly hiddenName: boolean;
  /** Kept nowhere: the base fields of a table of the core. */
  readonly empty: readonly string[];
  /** Fields that not everybody may read: of groups, or secret. */
  readonly restricted: readonly CompiledField[];
}

/** Names of a select with whether they go deeper: equal texts read the same of the table. */
function selectShape(select: SelectSpec): string {
  let shape = '';
  for (const name in select) shape += select[name] === true ? `${name},` : `${name}>,`;
  return shape;
}

/** How a select is read, kept with its shape. */
export function selected(bound: BoundModel, select: SelectSpec): { shape: string; plan: SelectPlan } {
  const shape = selectShape(select);
  return { shape, plan: kept(bound, `select|${bound.compiled.name}|${shape}`, () => planSelect(bound, select)) };
}

/** The deeper select of a relation; null when its ids are enough. */
export function deeper(asked: SelectSpec[string] | undefined): SelectSpec | null {
  if (asked === undefined || asked === true) return null;
  return '$via' in asked && typeof asked.$via === 'string' ? (asked.select as SelectSpec) : (asked as SelectSpec);
}

/** Sorts the fields of a select by how they are read. Throws WrongCode for what is no field. */
function planSelect(bound: BoundModel, select: SelectSpec): SelectPlan {
  const { compiled, registry } = bound;
  const columns = new Set<CompiledField>();
  const behind = new Map<string, readonly CompiledField[]>();
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
    if (path) behind.set(field.name, path);
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
    behind: [...behind].map(([name, path]) => ({ name, path })),
    related: [...plan.related],
    relations: plan.relations,
    empty: plan.empty,
    displayName,
    hiddenName: isField && !(displayName.name in select),
    restricted: plan.restricted.filter((field) => !isField || field !== displayName || field.name in select),
  };
}

/** The fields a path of columns leads through, further related fields followed; null when its end is worked out or holds several records. */
function columnPath(bound: BoundModel, model: string, path: readonly string[]): CompiledField[] | null {
  const { registry } = bound;
  const [name = '', ...rest] = path;
  const here = registry.models.get(model);
  const field = here?.fields.get(name);
  if (!here || !field || registry.pendingFields.has(`${model}.${name}`)) return null;
  const real = realPath(field, here);
  if (real) return columnPath(bound, model, [...real, ...rest]);
  if (field.column === null) return null;
  if (rest.length === 0) return [field];
  const after = field.relation?.kind === 'many2one' ? columnPath(bound, field.relation.to, rest) : null;
  return after && [field, ...after];
}

function nameSource({ compiled }: BoundModel): 'method' | CompiledField | 'id' {
  if (hasOwn(compiled, 'displayNames')) return 'method';
  // A name behind a relation takes a look of its own.
  return compiled.nameField?.relation ? 'method' : (compiled.nameField ?? 'id');
}

/** The details of an InvalidInput about a field that cannot be read like this. */
export function aboutSelect(params: Readonly<Record<string, string | number>> = {}): ErrorDetails {
  return { code: 'core.bad_select', params };
}
