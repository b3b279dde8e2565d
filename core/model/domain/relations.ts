import { InvalidInput } from '../../errors.ts';
import type { CompiledField } from '../compiled.ts';
import { column } from './columns.ts';
import { allWhere, anyOf, notTrue } from './combine.ts';
import { guardSql, leafSql, throughSql } from './compile.ts';
import { unfit, valueCondition } from './conditions.ts';
import { aboutDomain, type Leaf } from './parse.ts';
import type { Level, Sql, SqlScope } from './scope.ts';

const negative: Readonly<Record<string, Leaf['operator']>> = {
  '!=': '=',
  'not in': 'in',
  'not like': 'like',
  'not ilike': 'ilike',
};
const byText: ReadonlySet<string> = new Set(['like', 'ilike', '=like', '=ilike']);

/** SQL for a condition on `id` or on a relation as such: by ids, by the name of what stands behind it, or by its place in a tree. */
export function relationCondition(scope: SqlScope, level: Level, field: CompiledField, leaf: Leaf): Sql {
  const positive = negative[leaf.operator];
  if (positive) return notTrue(scope, relationCondition(scope, level, field, { ...leaf, operator: positive }));
  if (leaf.operator === 'child_of' || leaf.operator === 'parent_of') return placeCondition(scope, level, field, leaf);
  if (!field.relation) return valueCondition(scope, level.alias, field, leaf, level.source);
  const isNamed = byText.has(leaf.operator) || (leaf.operator === '=' && leaf.value === 'text');
  if (isNamed) return throughSql(scope, level, field, (inner) => nameCondition(scope, inner, leaf));
  if (field.relation.kind === 'many2one') return valueCondition(scope, level.alias, field, leaf, level.source);
  return severalCondition(scope, level, field, leaf);
}

/** Of a relation to several records: whether these are among them, or whether there are any. */
function severalCondition(scope: SqlScope, level: Level, field: CompiledField, leaf: Leaf): Sql {
  const { value: shape, operator } = leaf;
  if ((operator !== '=' && operator !== 'in') || shape === 'true' || (typeof shape !== 'string' && shape.hasTrue))
    throw unfit(field, leaf);
  const list = typeof shape === 'string' ? null : shape;
  const parts: Sql[] = [];
  if (shape === 'one' || (list && list.count > 0)) {
    const ids: Leaf = list ? { ...leaf, operator: 'in', value: { ...list, hasEmpty: false, hasFalse: false } } : leaf;
    parts.push(throughSql(scope, level, field, (inner) => idCondition(scope, inner, ids)));
  }
  if (shape === 'empty' || shape === 'false' || list?.hasEmpty || list?.hasFalse) {
    parts.push(scope.knex.raw('not ?', [throughSql(scope, level, field, null)]));
  }
  return anyOf(scope, parts);
}

function idCondition(scope: SqlScope, inner: Level, leaf: Leaf): Sql {
  const id = inner.model.fields.get('id');
  return id ? valueCondition(scope, inner.alias, id, leaf, inner.source) : scope.knex.raw('false');
}

function nameCondition(scope: SqlScope, inner: Level, leaf: Leaf): Sql {
  const { nameSearch, name } = inner.model;
  if (nameSearch.length === 0)
    throw new InvalidInput('Records of “{model}” have no name to look for.', aboutDomain({ model: name }));
  return anyOf(
    scope,
    nameSearch.map((field) => leafSql(scope, inner, [field.name], leaf)),
  );
}

/** `child_of` and `parent_of`: the records given and all below (above) them along `parent_id`. */
function placeCondition(scope: SqlScope, level: Level, field: CompiledField, leaf: Leaf): Sql {
  const { relation } = field;
  if (relation && relation.kind !== 'many2one') {
    return throughSql(scope, level, field, (inner) => inTree(scope, inner, column(scope, inner.alias, 'id'), leaf));
  }
  const model = relation ? scope.registry.need(relation.to) : level.model;
  return inTree(scope, { ...level, model }, column(scope, level.alias, field.column ?? 'id'), leaf);
}

/** SQL for "is an id of the tree". What the reader may not see is not walked through; a circle ends by itself, since no id is taken twice. */
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
  const list = typeof leaf.value === 'string' ? null : leaf.value;
  if (leaf.value !== 'one' && !(list && list.count > 0)) return knex.raw('false');
  const tree = scope.alias();
  const [seed, step, above] = [scope.use(model), scope.use(model), scope.use(model)];
  const rows = (alias: string, seen = alias) => {
    const found = knex({ [alias]: model.table }).select(`${seen}.id`);
    return allWhere(found, [guardSql(scope, { ...level, alias: seen })]);
  };
  const start = rows(seed).where(scope.inList(column(scope, seed, 'id'), level.source, leaf.index, id));
  const next =
    leaf.operator === 'child_of'
      ? rows(step).join(tree, `${step}.${parent.column}`, `${tree}.id`)
      : rows(step, above)
          .join(tree, `${step}.id`, `${tree}.id`)
          .join({ [above]: model.table }, `${above}.id`, `${step}.${parent.column}`);
  return knex.raw('? in ?', [value, knex.withRecursive(tree, ['id'], start.union(next)).select('id').from(tree)]);
}
