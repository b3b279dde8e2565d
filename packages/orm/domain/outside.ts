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
import { aboutDomain, type DomainLimits, type Leaf, leavesOf, parseDomain, shown, writtenOut } from './parse.ts';

/** What a request may ask for at most. */
const limits: DomainLimits = { leaves: 200, depth: 50, list: 5_000 };
const mostTerms = 8;
const mostFields = 500;
/** Each relation to several records multiplies what a statement goes through: so many of them along one path, and in one domain. */
const mostSeveral = { path: 2, domain: 6 };

/**
 * A domain that came from outside, checked: its shape and size; that every field along every path is one the caller may read (secret ones
 * never); that values fit their fields. Texts for moments become dates. Records behind relations that the caller may not see do not count
 * when it runs, like those that are not there.
 *
 * @throws InvalidInput (`core.bad_domain`) naming the condition. A field that may not be read is said not to be there.
 */
export function checkDomain(bound: BoundModel, raw: unknown): RawDomain {
  if (!Array.isArray(raw)) throw new InvalidInput('A domain must be a list of conditions.', aboutDomain());
  const { node, values } = parseDomain(raw, limits);
  const checked = [...values];
  let several = 0;
  for (const leaf of leavesOf(node)) {
    try {
      const end = readableEnd(bound, leaf.path);
      several += end.several;
      if (several > mostSeveral.domain) throw tooManySeveral(mostSeveral.domain);
      checked[leaf.index] = checkLeaf(bound, leaf, values, end);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const condition = `${leaf.path.join('.')} ${leaf.operator} ${shown(values[leaf.index])}`;
      const why = errorText(bound.ctx, error);
      throw new InvalidInput('Invalid condition “{condition}”. {why}', aboutDomain({ condition, why }));
    }
  }
  return writtenOut({ node, values: checked });
}

/** Checks one condition and answers its value as the field takes it. */
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
  const given = values[leaf.index];
  const value = end.field.type === 'datetime' ? moments(given) : given;
  const list = [...values];
  list[leaf.index] = value;
  const { scope, level } = factsRecorder(bound);
  const { bindings } = leafSql(scope, level, leaf.path, leaf).toSQL();
  for (const placeholder of bindings as readonly Placeholder[]) placeholder.encode?.(list[placeholder.index]);
  return value;
}

/** Odoo writes moments as `2026-11-21 10:00:00` in UTC; JSON clients as ISO texts. */
function moments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moments);
  if (typeof value !== 'string') return value;
  const text = /^\d{4}-\d\d-\d\d$/.test(value)
    ? `${value}T00:00:00Z`
    : value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(:\d\d(\.\d+)?)?)$/, '$1T$2Z');
  const isComplete = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return isComplete ? new Date(text) : value;
}

/** An order that came from outside, checked like a domain. Throws InvalidInput (`core.bad_order`). */
export function checkOrder(bound: BoundModel, raw: unknown): string {
  const terms = typeof raw === 'string' && raw.length < 500 ? parseOrder(raw) : null;
  if (!terms || terms.length > mostTerms) {
    throw new InvalidInput(
      '“{order}” isn’t a valid order. List fields with asc or desc, separated by commas.',
      aboutOrder({ order: shown(raw) }),
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

/** Names of the fields the caller may read, secret ones left out. */
export function readableFields({ ctx, compiled }: BoundModel): string[] {
  return [...compiled.fields.values()].filter((field) => isReadable(ctx, field)).map(({ name }) => name);
}

/**
 * A list of field names that came from outside, checked; all that the caller may read when there is none or it is empty.
 *
 * @throws InvalidInput (`core.bad_select`) naming the field; one that may not be read is said not to be there.
 */
export function checkFields(bound: BoundModel, raw: unknown): string[] {
  if (raw === undefined || raw === null || (Array.isArray(raw) && raw.length === 0)) return readableFields(bound);
  if (!Array.isArray(raw) || raw.length > mostFields)
    throw new InvalidInput('The fields to read must be a list of names.', aboutSelect());
  // The record's own name is asked for as such, whichever field it comes from.
  const named = (name: unknown): string => {
    const found = readableEnd(bound, [name]).field.name;
    return name === 'display_name' ? name : found;
  };
  return [...new Set(raw.map(named))];
}

interface End {
  readonly bound: BoundModel;
  readonly field: CompiledField;
  /** Relations to several records along the path, its end included. */
  readonly several: number;
}

/** The field a path ends in, when the caller may read every field on the way and what these lead to, and it is not too long a way. */
function readableEnd(bound: BoundModel, path: readonly unknown[]): End {
  const end = follow(bound, path);
  if (end.several > mostSeveral.path) throw tooManySeveral(mostSeveral.path);
  return end;
}

function severalOf({ relation }: CompiledField): number {
  return relation && relation.kind !== 'many2one' ? 1 : 0;
}

function tooManySeveral(most: number): InvalidInput {
  return new InvalidInput('It crosses too many to-many relations. The limit is {most}.', aboutSelect({ most }));
}

function follow(bound: BoundModel, path: readonly unknown[], hops = 0): End {
  const [name, ...rest] = path;
  const { compiled, ctx } = bound;
  const field = typeof name === 'string' ? compiled.fields.get(name) : undefined;
  if (!field || !isReadable(ctx, field) || hops > 20) {
    throw new InvalidInput(
      '“{model}” has no field “{field}”.',
      aboutSelect({ model: compiled.name, field: typeof name === 'string' ? name.slice(0, 80) : shown(name) }),
    );
  }
  const real = realPath(field, compiled);
  if (real) {
    const end = follow(bound, [...real, ...rest], hops + 1);
    return rest.length === 0 ? { ...end, field: field.related ? field : end.field } : end;
  }
  if (rest.length === 0) return { bound, field, several: severalOf(field) };
  if (!field.relation) throw new InvalidInput('“{field}” isn’t a relation.', aboutSelect({ field: field.name }));
  requireModel(bound, field.relation.to);
  const end = follow(bindOther(bound, field.relation.to), rest, hops + 1);
  return { ...end, several: end.several + severalOf(field) };
}

/** Secret fields are nobody's to name from outside, not even where a route lifts rights. */
function isReadable(ctx: BoundModel['ctx'], field: CompiledField): boolean {
  return !field.secret && mayUseField(ctx, field);
}

function requireModel({ ctx, registry }: BoundModel, model: string): void {
  if (mayOperate(ctx, registry, model, 'read')) return;
  throw new InvalidInput('You don’t have permission to read “{model}” records.', aboutSelect({ model }));
}
