import { InvalidInput } from '@pergola/core';
import type { Placeholder } from '@pergola/db';
import { errorText } from '@pergola/texts';
import { mayOperate, mayUseField } from '../access/rights.ts';
import { bindOther } from '../bind.ts';
import { parseOrder } from '../build/paths.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import { factsRecorder } from '../read/prepare.ts';
import { aboutSelect } from '../read/select.ts';
import type { RawDomain } from '../types.ts';
import { leafSql, realPath } from './compile.ts';
import { aboutOrder, orderSql } from './order.ts';
import { aboutDomain, type DomainLimits, excerpt, type Leaf, leavesOf, parseDomain, writtenOut } from './parse.ts';

/** Limits of a domain in a request. */
const limits: DomainLimits = { leaves: 200, depth: 50, list: 5_000 };
const maxTerms = 8;
const maxFields = 500;
/** Limits on x2many relations along one path, and in one domain: each multiplies the rows a statement reads. */
const maxToMany = { path: 2, domain: 6 };

/**
 * Checks a domain from outside: its shape and size, that the caller may read every field along every path (never secret ones), and that
 * values fit their fields. Texts for datetimes become dates. When the domain runs, related records hidden from the caller count as missing.
 *
 * @throws InvalidInput (`core.bad_domain`) naming the condition. Unreadable fields are reported as missing.
 */
export function checkDomain(bound: BoundModel, raw: unknown): RawDomain {
  if (!Array.isArray(raw)) throw new InvalidInput('A domain must be a list of conditions.', aboutDomain());
  const { node, values } = parseDomain(raw, limits);
  const checked = [...values];
  let toManyHops = 0;
  for (const leaf of leavesOf(node)) {
    try {
      const end = readableEnd(bound, leaf.path);
      toManyHops += end.toManyHops;
      if (toManyHops > maxToMany.domain) throw tooManyToMany(maxToMany.domain);
      checked[leaf.index] = checkLeaf(bound, leaf, values, end);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const condition = `${leaf.path.join('.')} ${leaf.operator} ${excerpt(values[leaf.index])}`;
      const reason = errorText(bound.ctx, error);
      throw new InvalidInput('Invalid condition “{condition}”. {why}', aboutDomain({ condition, why: reason }));
    }
  }
  return writtenOut({ node, values: checked });
}

/** Checks one condition and returns its value, converted for the field. */
function checkLeaf(bound: BoundModel, leaf: Leaf, values: readonly unknown[], end: End): unknown {
  const { relation } = end.field;
  const byName = leaf.operator.includes('like') || (leaf.operator === '=' && leaf.value.kind === 'text');
  if (relation && (relation.kind !== 'many2one' || byName)) requireModel(end.bound, relation.to);
  if (relation && byName) {
    const target = bindOther(bound, relation.to);
    for (const { name } of target.compiled.nameSearch) readableEnd(target, [name]);
  }
  if (leaf.operator === 'child_of' || leaf.operator === 'parent_of') {
    readableEnd(relation ? bindOther(bound, relation.to) : end.bound, ['parent_id']);
  }
  const rawValue = values[leaf.index];
  const value = end.field.type === 'datetime' ? moments(rawValue) : rawValue;
  const list = [...values];
  list[leaf.index] = value;
  const { scope, level } = factsRecorder(bound);
  const { bindings } = leafSql(scope, level, leaf.path, leaf).toSQL();
  for (const placeholder of bindings as readonly Placeholder[]) placeholder.encode?.(list[placeholder.index]);
  return value;
}

/** Parses datetimes: Odoo writes `2026-11-21 10:00:00` in UTC; JSON clients write ISO texts. */
function moments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moments);
  if (typeof value !== 'string') return value;
  const text = /^\d{4}-\d\d-\d\d$/.test(value)
    ? `${value}T00:00:00Z`
    : value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(:\d\d(\.\d+)?)?)$/, '$1T$2Z');
  const isComplete = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return isComplete ? new Date(text) : value;
}

/** Checks an order from outside, like a domain. Throws InvalidInput (`core.bad_order`). */
export function checkOrder(bound: BoundModel, raw: unknown): string {
  const terms = typeof raw === 'string' && raw.length < 500 ? parseOrder(raw) : null;
  if (!terms || terms.length > maxTerms) {
    throw new InvalidInput(
      '“{order}” isn’t a valid order. List fields with asc or desc, separated by commas.',
      aboutOrder({ order: excerpt(raw) }),
    );
  }
  for (const { path } of terms) {
    const end = readableEnd(bound, path);
    const { relation } = end.field;
    if (relation?.kind !== 'many2one') continue;
    const { nameField } = bindOther(bound, relation.to).compiled;
    if (nameField) readableEnd(bindOther(bound, relation.to), [nameField.name]);
  }
  const { scope, level } = factsRecorder(bound);
  orderSql(scope, level, terms);
  return terms.map(({ path, descending }) => `${path.join('.')}${descending ? ' desc' : ''}`).join(', ');
}

/** Names of the fields the caller may read, without secret ones. */
export function readableFields({ ctx, compiled }: BoundModel): string[] {
  return [...compiled.fields.values()].filter((field) => isReadable(ctx, field)).map(({ name }) => name);
}

/**
 * Checks a list of field names from outside; if it is missing or empty, returns all fields the caller may read.
 *
 * @throws InvalidInput (`core.bad_select`) naming the field; unreadable fields are reported as missing.
 */
export function checkFields(bound: BoundModel, raw: unknown): string[] {
  if (raw === undefined || raw === null || (Array.isArray(raw) && raw.length === 0)) return readableFields(bound);
  if (!Array.isArray(raw) || raw.length > maxFields)
    throw new InvalidInput('The fields to read must be a list of names.', aboutSelect());
  // `display_name` is returned as requested, whichever field holds the name.
  const readableName = (name: unknown): string => {
    const fieldName = readableEnd(bound, [name]).field.name;
    return name === 'display_name' ? name : fieldName;
  };
  return [...new Set(raw.map(readableName))];
}

interface End {
  readonly bound: BoundModel;
  readonly field: CompiledField;
  /** X2many relations along the path, including its last field. */
  readonly toManyHops: number;
}

/** Returns the last field of a path, if the caller may read every field on it and the models it leads to, and it isn't too long. */
function readableEnd(bound: BoundModel, path: readonly unknown[]): End {
  const end = follow(bound, path);
  if (end.toManyHops > maxToMany.path) throw tooManyToMany(maxToMany.path);
  return end;
}

function toManyCount({ relation }: CompiledField): number {
  return relation && relation.kind !== 'many2one' ? 1 : 0;
}

function tooManyToMany(limit: number): InvalidInput {
  return new InvalidInput('It crosses too many to-many relations. The limit is {most}.', aboutSelect({ most: limit }));
}

function follow(bound: BoundModel, path: readonly unknown[], hops = 0): End {
  const [name, ...rest] = path;
  const { compiled, ctx } = bound;
  const field = typeof name === 'string' ? compiled.fields.get(name) : undefined;
  if (!field || !isReadable(ctx, field) || hops > 20) {
    throw new InvalidInput(
      '“{model}” has no field “{field}”.',
      aboutSelect({ model: compiled.name, field: typeof name === 'string' ? name.slice(0, 80) : excerpt(name) }),
    );
  }
  const real = realPath(field, compiled);
  if (real) {
    const end = follow(bound, [...real, ...rest], hops + 1);
    return rest.length === 0 ? { ...end, field: field.related ? field : end.field } : end;
  }
  if (rest.length === 0) return { bound, field, toManyHops: toManyCount(field) };
  if (!field.relation) throw new InvalidInput('“{field}” isn’t a relation.', aboutSelect({ field: field.name }));
  requireModel(bound, field.relation.to);
  const end = follow(bindOther(bound, field.relation.to), rest, hops + 1);
  return { ...end, toManyHops: end.toManyHops + toManyCount(field) };
}

/** Requests may never name secret fields, even on routes that lift rights. */
function isReadable(ctx: BoundModel['ctx'], field: CompiledField): boolean {
  return !field.secret && mayUseField(ctx, field);
}

function requireModel({ ctx, registry }: BoundModel, model: string): void {
  if (mayOperate(ctx, registry, model, 'read')) return;
  throw new InvalidInput('You don’t have permission to read “{model}” records.', aboutSelect({ model }));
}
