import type { ColumnKind } from '@pergola/db';
import type { CompiledField, Relation } from '../compiled.ts';
import { decimal, decimalText, millionths } from '../decimal.ts';
import { type Field, type FieldType, humanize, isText } from '../fields.ts';
import type { Collected, Report } from './collect.ts';
import { hasColumn, type MergedField } from './merge-fields.ts';
import { joined, tableName } from './names.ts';

/** Column kind for each field type; translated texts use `json`. */
export const columnKinds: Readonly<Record<Exclude<FieldType, 'one2many' | 'many2many'>, ColumnKind>> = {
  char: 'text',
  text: 'text',
  html: 'text',
  integer: 'bigint',
  float: 'float',
  decimal: 'bigint',
  money: 'bigint',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  selection: 'text',
  json: 'json',
  binary: 'json',
  image: 'json',
  many2one: 'bigint',
};

/** Surroundings of a field that are needed to compile it. */
export interface FieldContext {
  readonly model: Collected;
  readonly table: string;
  readonly models: ReadonlyMap<string, Collected>;
  readonly report: Report;
}

/** Determines a field's column, relation and value conversion; reports contradictory options. */
export function compileField(merged: MergedField, context: FieldContext): CompiledField {
  const { name, declared, addon, isExtended, base, choices } = merged;
  const { options } = declared;
  const { model } = context;
  if (!base) checkOptions(merged, context);
  const column = columnOf(merged, model);
  const relation = relationOf(merged, context);
  const translated = options.translate === true && isText(declared);
  const { column: customColumn, toColumn, fromColumn } = customOf(declared);
  return {
    name,
    model: model.name,
    type: declared.type,
    declared,
    options,
    label: options.label ?? humanize(name),
    addon,
    isExtended,
    base,
    column,
    kind: column === null ? null : name === 'id' ? 'id' : translated ? 'json' : (customColumn ?? kindOf(declared.type)),
    required: options.required === true,
    translated,
    stored: column !== null || (relation?.kind === 'many2many' && isStored(declared)),
    foldColumn: null,
    relation,
    compute: options.compute ?? null,
    depends: options.depends ?? [],
    related: options.related ? options.related.split('.') : null,
    groups: typeof options.groups === 'string' ? [options.groups] : (options.groups ?? []),
    secret: options.secret === true,
    sealedFor: column !== null && isSealed(declared) ? `${context.table}.${column}` : null,
    choices,
    toColumn: toColumn ? (value) => (value === null ? null : toColumn(value)) : (value) => value,
    fromColumn: fromColumn ? (stored) => (stored === null ? null : fromColumn(stored as never)) : null,
  };
}

/** Whether the value is stored at all, in a column or a join table. */
function isStored({ options }: Field): boolean {
  return !options.related && (!options.compute || options.store === true);
}

/** Whether the value is encrypted in its column: texts and JSON can contain reusable secrets. */
function isSealed({ type, custom, options }: Field): boolean {
  if (!options.secret || options.sealed === false || !(isText({ type, custom }) || type === 'json')) return false;
  return !options.unique && !options.index && !options.compute;
}

/** Decimals are stored in a different form too. */
function customOf({ type, custom }: Field): Partial<NonNullable<Field['custom']>> {
  return custom ?? (type === 'decimal' ? { toColumn: toMillionths, fromColumn: fromMillionths } : {});
}

function kindOf(type: FieldType): ColumnKind | null {
  return type === 'one2many' || type === 'many2many' ? null : columnKinds[type];
}

/** A core table only has its own columns: of the base fields, its id. */
function columnOf({ name, declared, base }: MergedField, model: Collected): string | null {
  if (name === 'display_name') return null;
  if (base && name !== 'id' && model.owner.declaration.options.coreTable) return null;
  return hasColumn(declared) ? name : null;
}

function relationOf(merged: MergedField, context: FieldContext): Relation | null {
  const { declared, name, base, addon } = merged;
  const { type, to, inverse = '' } = declared;
  if (to === undefined || (base && !context.models.has(to))) return null;
  const ondelete = base ? 'set null' : ondeleteOf(declared);
  if (type === 'many2one') {
    const foreignKey = !base && !context.model.owner.declaration.options.coreTable && hasColumn(declared);
    return { kind: 'many2one', to, ondelete, foreignKey };
  }
  if (type === 'one2many') return { kind: 'one2many', to, inverse, inverseColumn: inverse };
  const target = context.models.get(to);
  const targetTable = target?.owner.declaration.options.table ?? tableName(to);
  if (declared.relation) {
    const { table, from, to: toColumn } = declared.relation;
    return { kind: 'many2many', to, table, from, toColumn, ondelete, addon };
  }
  if (to === context.model.name) {
    context.report(
      addon,
      `“${context.model.name}.${name}” links records of one model, so the columns between cannot be named after it.`,
      'Give it relation: { table, from, to }.',
    );
  }
  const table = joined(...[context.table, targetTable].sort(), 'rel');
  return { kind: 'many2many', to, table, from: `${context.table}_id`, toColumn: `${targetTable}_id`, ondelete, addon };
}

/** By default a relation prevents deletion of its target, so that a forgotten option never widens a rule. */
function ondeleteOf({ options }: Field): 'restrict' | 'cascade' | 'set null' {
  return options.ondelete ?? (options.empty === 'none' && options.required !== true ? 'set null' : 'restrict');
}

/** Reports options that contradict each other or the type. */
function checkOptions({ name, declared, addon }: MergedField, { model, report }: FieldContext): void {
  for (const [fault, remedy] of optionFaults(declared)) report(addon, `“${model.name}.${name}” ${fault}`, remedy);
}

function optionFaults(declared: Field): [fault: string, remedy?: string][] {
  const { type, options, values } = declared;
  const faults: [string, string?][] = [];
  if (type === 'many2one' && options.required === true && options.ondelete === 'set null') {
    faults.push(['is required, and ondelete “set null” would empty it.', 'Use “restrict” or “cascade”.']);
  }
  if (options.empty === 'all' && options.ondelete !== 'restrict' && options.ondelete !== 'cascade') {
    faults.push([
      'applies to everything when it is empty, so a deletion must not empty it.',
      'Add ondelete: “restrict” refuses the deletion, “cascade” deletes this record too.',
    ]);
  }
  if (options.translate && !isText(declared)) faults.push([`is ${type} and cannot be translated.`, 'Only texts can.']);
  if (options.translate && options.unique) faults.push(['is translated and cannot be unique.']);
  if (options.compute && options.related) faults.push(['is both computed and related.', 'Keep one.']);
  if (options.store && !options.compute)
    faults.push(['says “store” and is not computed.', 'Leave it out; related fields are never stored.']);
  if (options.writable && !options.related) faults.push(['says “writable” and is not related.', 'Leave it out.']);
  if (options.inverse && !options.compute) faults.push(['says “inverse” and is not computed.', 'Leave it out.']);
  if (options.depends && !options.compute) faults.push(['says “depends” and is not computed.']);
  if ((options.unique || options.index) && !hasColumn({ type, options }))
    faults.push(['has no column to index.', 'Give it “store”, or no index.']);
  if (options.unique && (type === 'json' || type === 'binary' || type === 'image' || type === 'boolean'))
    faults.push([`is ${type} and cannot be unique.`]);
  if (options.places !== undefined && !(options.places >= 0 && options.places <= 6))
    faults.push(['keeps 0 to 6 places.']);
  if (options.translate && isSealed(declared))
    faults.push(['is secret and translated, and translations aren’t encrypted.', 'Leave one of both out.']);
  if (options.sealed === false && !options.secret) faults.push(['says “sealed” and is not secret.', 'Leave it out.']);
  const defaultValue = options.default;
  if (isSealed(declared) && typeof defaultValue === 'string')
    faults.push(['is secret, and its default is the same everywhere.', 'Use a function, or no default.']);
  if (type === 'selection' && typeof defaultValue === 'string' && !(values && defaultValue in values)) {
    faults.push([`has the default “${defaultValue}”, which is none of its values.`]);
  }
  return faults;
}

/** A decimal as whole millionths, which both databases store, compare and add exactly. */
function toMillionths(value: string): number {
  const exact = decimal(value).times(millionths);
  return exact.places() === 0 ? exact.toNumber() : exact.round(0).toNumber();
}

function fromMillionths(value: unknown): unknown {
  return typeof value === 'number' ? decimalText(value) : value;
}
