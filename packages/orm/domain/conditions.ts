import { fold } from '@pergola/content';
import { InvalidInput } from '@pergola/core';
import { Placeholder } from '@pergola/db';
import type { CompiledField } from '../compiled.ts';
import { isText } from '../fields.ts';
import { foldSql, valueSql } from './columns.ts';
import { anyOf, notTrue } from './combine.ts';
import { aboutDomain, type Leaf } from './parse.ts';
import { containing, lowerAscii, matching, type Syntax } from './pattern.ts';
import type { Sql, SqlScope } from './scope.ts';

const opaque: ReadonlySet<string> = new Set(['json', 'binary', 'image']);
/** `x not like y` is compiled as `not (x like y)`, and so on: conditions are built in their positive form. */
export const negative: Readonly<Record<string, Leaf['operator']>> = {
  '!=': '=',
  'not in': 'in',
  'not like': 'like',
  'not ilike': 'ilike',
};

/** Returns SQL for a condition on a column's value. Negative operators also match empty values, as in Odoo. */
export function valueCondition(scope: SqlScope, alias: string, field: CompiledField, leaf: Leaf, source: number): Sql {
  const positive = negative[leaf.operator];
  if (positive) return notTrue(scope, valueCondition(scope, alias, field, { ...leaf, operator: positive }, source));
  switch (leaf.operator) {
    case '=':
    case 'in':
      return membership(scope, alias, field, leaf, source);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(scope, alias, field, leaf, source);
    case 'like':
    case 'ilike':
    case '=like':
    case '=ilike':
      return patternCondition(scope, alias, field, leaf, source);
    default:
      throw unfit(field, leaf);
  }
}

/** `=` is treated as a list of one value. */
function membership(scope: SqlScope, alias: string, field: CompiledField, leaf: Leaf, source: number): Sql {
  const { knex } = scope;
  const value = valueSql(scope, alias, field);
  const { kind, count, hasEmpty, hasFalse, hasTrue } = leaf.value;
  if (kind === 'list' && leaf.operator === '=')
    throw new InvalidInput('“{field}” is compared with a list; use “in”.', aboutDomain({ field: field.name }));
  if (kind !== 'list' && leaf.operator === 'in')
    throw new InvalidInput('“in” on “{field}” takes a list.', aboutDomain({ field: field.name }));
  const parts: Sql[] = [];
  if (field.type === 'boolean') {
    if (count > 0) throw unfit(field, leaf);
    // SQLite uses an index only for a comparison, not for a column that is itself the condition.
    if (hasTrue) parts.push(scope.dialect === 'sqlite' ? knex.raw('? = 1', [value]) : value);
    if (hasFalse || hasEmpty) parts.push(knex.raw('(?) is not true', [value]));
    return anyOf(scope, parts);
  }
  if (hasTrue || (count > 0 && opaque.has(field.type))) throw unfit(field, leaf);
  if (kind === 'moment') noteMoment(scope, field, leaf, source);
  if (count > 0) parts.push(scope.inList(value, { source, index: leaf.index, count }, field));
  if (hasEmpty || hasFalse) {
    parts.push(knex.raw('? is null', [value]));
    if (isTextual(field)) parts.push(knex.raw("? = ''", [value]));
  }
  return anyOf(scope, parts);
}

function comparison(scope: SqlScope, alias: string, field: CompiledField, leaf: Leaf, source: number): Sql {
  const { kind } = leaf.value;
  if (kind === 'empty' || kind === 'false') return scope.knex.raw('false');
  if (kind === 'list' || kind === 'true' || field.type === 'boolean' || opaque.has(field.type))
    throw unfit(field, leaf);
  if (kind === 'moment') noteMoment(scope, field, leaf, source);
  const bound = new Placeholder(leaf.index, source, scope.encoder(field));
  return scope.knex.raw(`? ${leaf.operator} ?`, [valueSql(scope, alias, field), bound]);
}

function noteMoment(scope: SqlScope, field: CompiledField, leaf: Leaf, source: number): void {
  if (field.column === null || field.type !== 'datetime') return;
  const operator = leaf.operator as '<' | '<=' | '>' | '>=' | '=';
  const table = scope.registry.need(field.model).table;
  scope.moments.push({ table, column: field.column, operator, source, index: leaf.index });
}

/**
 * `like` respects case and accents, `ilike` ignores them: it searches the folded text if the field has one; otherwise it only ignores the
 * case of A to Z and respects accents, on both databases.
 */
function patternCondition(scope: SqlScope, alias: string, field: CompiledField, leaf: Leaf, source: number): Sql {
  if (!isTextual(field) || leaf.value.kind !== 'text') throw unfit(field, leaf);
  const isExact = leaf.operator === 'like' || leaf.operator === '=like';
  const isPattern = leaf.operator.startsWith('=');
  const folded = isExact ? null : foldSql(scope, alias, field);
  const syntax: Syntax = isExact && scope.dialect === 'sqlite' ? 'glob' : 'like';
  const adapt = folded !== null ? fold : isExact ? (text: string) => text : lowerAscii;
  const encode = (value: unknown) => {
    const text = scope.codec.encode('text', value) as string;
    return isPattern ? matching(text, syntax, adapt) : containing(adapt(text), syntax);
  };
  const bound = new Placeholder(leaf.index, source, encode);
  const value = valueSql(scope, alias, field);
  const { knex } = scope;
  const operand = folded ?? (isExact || scope.dialect === 'sqlite' ? value : knex.raw('lower(? collate "C")', [value]));
  return knex.raw(syntax === 'glob' ? '? glob ?' : "? like ? escape '\\'", [operand, bound]);
}

/** Whether its column can be compared with a text: names match, and the empty text is empty. */
function isTextual({ type, declared }: CompiledField): boolean {
  return type === 'selection' || isText(declared);
}

export function unfit(field: CompiledField, leaf: Leaf) {
  return new InvalidInput(
    '“{operator}” with this value isn’t valid for “{field}”, which is {type}.',
    aboutDomain({
      operator: leaf.operator,
      field: `${field.model}.${field.name}`,
      type: field.type,
    }),
  );
}
