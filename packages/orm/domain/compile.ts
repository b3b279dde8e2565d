import { closest, InvalidInput, WrongCode } from '@pergola/core';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import { matchesSql } from '../search/matches.ts';
import { column } from './columns.ts';
import { allOf, allWhere, anyOf, notTrue } from './combine.ts';
import { negative, unfit, valueCondition } from './conditions.ts';
import { aboutDomain, type DomainNode, type Leaf } from './parse.ts';
import type { Level, Sql, SqlScope } from './scope.ts';

const byText: ReadonlySet<string> = new Set(['like', 'ilike', '=like', '=ilike']);

/**
 * Returns SQL for a domain on the rows of `level`, or null if every row matches. Names come only from compiled fields, values are
 * placeholders. The result is true or false, never null, so that `!` works as expected.
 */
export function domainSql(scope: SqlScope, level: Level, node: DomainNode): Sql | null {
  switch (node.kind) {
    case 'all':
      return null;
    case 'none':
      return scope.knex.raw('false');
    case 'not': {
      const inner = domainSql(scope, level, node.node);
      return inner ? scope.knex.raw('(?) is not true', [inner]) : scope.knex.raw('false');
    }
    case 'leaf':
      return leafSql(scope, level, node.path, node);
    default: {
      const parts = node.nodes.map((inner) => domainSql(scope, level, inner) ?? scope.knex.raw('true'));
      return node.kind === 'and' ? allOf(scope, parts) : anyOf(scope, parts);
    }
  }
}

/** Returns SQL for one condition, following its path from `level`. */
export function leafSql(scope: SqlScope, level: Level, path: readonly string[], leaf: Leaf): Sql {
  const [name = '', ...rest] = path;
  const field = fieldOf(level.model, name);
  if (leaf.operator === 'matches') {
    if (rest.length === 0 && name !== 'id')
      throw new InvalidInput('Full-text search works on “id”, not on “{field}”.', aboutDomain({ field: name }));
    if (rest.length === 0) return matchesSql(scope, level, leaf);
  }
  scope.touch(level, field);
  const real = realPath(field, level.model);
  if (real) return leafSql(scope, level, [...real, ...rest], leaf);
  if (field.column === null && !field.stored && field.relation?.kind !== 'one2many') {
    throw new InvalidInput(
      '“{model}.{field}” is calculated on read, so you can’t search by it.',
      aboutDomain({
        model: field.model,
        field: name,
      }),
    );
  }
  if (rest.length > 0) return throughSql(scope, level, field, (inner) => leafSql(scope, inner, rest, leaf));
  if (field.relation || field.name === 'id') return relationCondition(scope, level, field, leaf);
  if (field.sealedFor !== null && leaf.value.count > 0)
    throw new WrongCode(
      `“${field.model}.${name}” is encrypted, so records can't be found by it. Declare it with “sealed: false” if it is a hash or only compared.`,
    );
  return valueCondition(scope, level.alias, field, leaf, level.source);
}

/** Returns SQL for "the relation has a record that the reader may see and that meets the condition". */
function throughSql(scope: SqlScope, level: Level, field: CompiledField, holds: ((inner: Level) => Sql) | null): Sql {
  const { knex } = scope;
  const { relation } = field;
  if (!relation) {
    throw new WrongCode(`“${field.model}.${field.name}” is ${field.type} and leads nowhere.`);
  }
  const model = scope.registry.need(relation.to);
  const alias = scope.use(model);
  const inner: Level = { model, alias, source: level.source, guarded: level.guarded };
  const conditions = [guardSql(scope, inner), holds?.(inner)].filter((sql) => !!sql);
  const id = knex.ref(`${level.alias}.id`);
  const subquery = knex.select(knex.raw('1'));
  if (relation.kind === 'many2many') {
    scope.tables.add(relation.table);
    const between = scope.alias();
    subquery.from({ [between]: relation.table }).where(`${between}.${relation.from}`, id);
    if (conditions.length > 0)
      subquery.join({ [alias]: model.table }, `${alias}.id`, `${between}.${relation.toColumn}`);
  } else {
    subquery.from({ [alias]: model.table });
    if (relation.kind === 'one2many') subquery.where(`${alias}.${relation.inverseColumn}`, id);
    else subquery.where(`${alias}.id`, knex.ref(`${level.alias}.${field.column ?? ''}`));
  }
  return knex.raw('exists ?', [allWhere(subquery, conditions)]);
}

/** Returns SQL for "the reader may see this row", or null if every row is visible. */
export function guardSql(scope: SqlScope, { model, alias, guarded }: Level): Sql | null {
  if (!guarded) return null;
  const guard = scope.guardOf(model.name);
  if (!guard) return scope.knex.raw('false');
  return domainSql(scope, { model, alias, source: guard.source, guarded: false }, guard.domain.node);
}

/** Path to a field's actual value: behind a related field, or the name field behind `display_name`. */
export function realPath(field: CompiledField, model: CompiledModel): readonly string[] | null {
  if (field.related) return field.related;
  return field.name === 'display_name' && model.nameField ? [model.nameField.name] : null;
}

/**
 * Returns the field with a name written in code; names from outside were checked before (`outside.ts`).
 *
 * @throws WrongCode if the field doesn't exist
 */
export function fieldOf(model: CompiledModel, name: string): CompiledField {
  const field = model.fields.get(name);
  if (field) return field;
  throw new WrongCode(`“${model.name}” has no field “${name}”.`, closest(name, model.fields.keys()));
}

/** Returns SQL for a condition on `id` or a relation: by ids, by the name of related records, or by their place in a tree. */
function relationCondition(scope: SqlScope, level: Level, field: CompiledField, leaf: Leaf): Sql {
  const positive = negative[leaf.operator];
  if (positive) return notTrue(scope, relationCondition(scope, level, field, { ...leaf, operator: positive }));
  if (leaf.operator === 'child_of' || leaf.operator === 'parent_of') return placeCondition(scope, level, field, leaf);
  if (!field.relation) return valueCondition(scope, level.alias, field, leaf, level.source);
  const isNamed = byText.has(leaf.operator) || (leaf.operator === '=' && leaf.value.kind === 'text');
  if (isNamed) return throughSql(scope, level, field, (inner) => nameCondition(scope, inner, leaf));
  if (field.relation.kind === 'many2one') return valueCondition(scope, level.alias, field, leaf, level.source);
  return severalCondition(scope, level, field, leaf);
}

/** For x2many fields: whether they contain these records, or any at all. */
function severalCondition(scope: SqlScope, level: Level, field: CompiledField, leaf: Leaf): Sql {
  const { value: shape, operator } = leaf;
  if ((operator !== '=' && operator !== 'in') || shape.hasTrue) throw unfit(field, leaf);
  const parts: Sql[] = [];
  if (namesRecords(leaf)) {
    const value = { ...shape, hasEmpty: false, hasFalse: false };
    const ids: Leaf = shape.kind === 'list' ? { ...leaf, operator: 'in', value } : leaf;
    parts.push(throughSql(scope, level, field, (inner) => idCondition(scope, inner, ids)));
  }
  if (shape.hasEmpty || shape.hasFalse) {
    parts.push(scope.knex.raw('not ?', [throughSql(scope, level, field, null)]));
  }
  return anyOf(scope, parts);
}

/** Whether the condition contains ids. */
function namesRecords({ value: { kind, count } }: Leaf): boolean {
  return kind === 'one' || (kind === 'list' && count > 0);
}

function idCondition(scope: SqlScope, inner: Level, leaf: Leaf): Sql {
  const id = inner.model.fields.get('id');
  return id ? valueCondition(scope, inner.alias, id, leaf, inner.source) : scope.knex.raw('false');
}

function nameCondition(scope: SqlScope, inner: Level, leaf: Leaf): Sql {
  const { nameSearch, name } = inner.model;
  if (nameSearch.length === 0)
    throw new InvalidInput('“{model}” records have no name to search for.', aboutDomain({ model: name }));
  return anyOf(
    scope,
    nameSearch.map((field) => leafSql(scope, inner, [field.name], leaf)),
  );
}

/** `child_of` and `parent_of`: the given records and their descendants (ancestors) along `parent_id`. */
function placeCondition(scope: SqlScope, level: Level, field: CompiledField, leaf: Leaf): Sql {
  const { relation } = field;
  if (relation && relation.kind !== 'many2one') {
    return throughSql(scope, level, field, (inner) => inTree(scope, inner, column(scope, inner.alias, 'id'), leaf));
  }
  const model = relation ? scope.registry.need(relation.to) : level.model;
  return inTree(scope, { ...level, model }, column(scope, level.alias, field.column ?? 'id'), leaf);
}

/** Returns SQL for "is an id of the tree". Stops at records hidden from the reader; circles end because `union` drops duplicate ids. */
function inTree(scope: SqlScope, level: Level, value: Sql, leaf: Leaf): Sql {
  const { knex } = scope;
  const { model } = level;
  const parent = model.fields.get('parent_id');
  const id = model.fields.get('id');
  if (!id || parent?.relation?.kind !== 'many2one' || parent.relation.to !== model.name || parent.column === null) {
    throw new InvalidInput(
      '“{operator}” needs a parent_id on “{model}”.',
      aboutDomain({ operator: leaf.operator, model: model.name }),
    );
  }
  scope.touch(level, parent);
  if (!namesRecords(leaf)) return knex.raw('false');
  const tree = scope.alias();
  const [seed, step, parentAlias] = [scope.use(model), scope.use(model), scope.use(model)];
  const rows = (alias: string, seen = alias) => {
    const query = knex({ [alias]: model.table }).select(`${seen}.id`);
    return allWhere(query, [guardSql(scope, { ...level, alias: seen })]);
  };
  const start = rows(seed).where(
    scope.inList(column(scope, seed, 'id'), { source: level.source, index: leaf.index, count: leaf.value.count }, id),
  );
  const next =
    leaf.operator === 'child_of'
      ? rows(step).join(tree, `${step}.${parent.column}`, `${tree}.id`)
      : rows(step, parentAlias)
          .join(tree, `${step}.id`, `${tree}.id`)
          .join({ [parentAlias]: model.table }, `${parentAlias}.id`, `${step}.${parent.column}`);
  return knex.raw('? in ?', [value, knex.withRecursive(tree, ['id'], start.union(next)).select('id').from(tree)]);
}
