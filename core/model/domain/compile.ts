import { closest } from '../../edit-distance.ts';
import { InvalidInput, WrongCode } from '../../errors.ts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import { matchesSql } from '../search/matches.ts';
import { allOf, allWhere, anyOf } from './combine.ts';
import { valueCondition } from './conditions.ts';
import { aboutDomain, type DomainNode, type Leaf } from './parse.ts';
import { relationCondition } from './relations.ts';
import type { Level, Sql, SqlScope } from './scope.ts';

/**
 * SQL for a domain on the rows of `level`; null when every row matches. Names come from compiled fields only, values are placeholders. The result is
 * true or false, never null, so `!` means what it says.
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

/** SQL for one condition, following its path from here. */
export function leafSql(scope: SqlScope, level: Level, path: readonly string[], leaf: Leaf): Sql {
  const [name = '', ...rest] = path;
  const field = fieldOf(level.model, name);
  if (leaf.operator === 'matches') {
    if (rest.length === 0 && name !== 'id')
      throw new InvalidInput('Full text is looked for on “id”, not on “{field}”.', aboutDomain({ field: name }));
    if (rest.length === 0) return matchesSql(scope, level, leaf);
  }
  scope.touch(level, field);
  const real = realPath(field, level.model);
  if (real) return leafSql(scope, level, [...real, ...rest], leaf);
  if (rest.length > 0) return throughSql(scope, level, field, (inner) => leafSql(scope, inner, rest, leaf));
  if (field.column === null && !field.stored && field.relation?.kind !== 'one2many') {
    throw new InvalidInput(
      '“{model}.{field}” is worked out when it is read, so records cannot be looked for by it.',
      aboutDomain({
        model: field.model,
        field: name,
      }),
    );
  }
  if (field.relation || field.name === 'id') return relationCondition(scope, level, field, leaf);
  return valueCondition(scope, level.alias, field, leaf, level.source);
}

/** SQL for "a record that the reader may see stands behind this relation, and of it holds …". */
export function throughSql(
  scope: SqlScope,
  level: Level,
  field: CompiledField,
  holds: ((inner: Level) => Sql) | null,
): Sql {
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
  const one = knex.select(knex.raw('1'));
  if (relation.kind === 'many2many') {
    if (!field.stored)
      throw new InvalidInput(
        '“{model}.{field}” is worked out when it is read.',
        aboutDomain({ model: field.model, field: field.name }),
      );
    scope.tables.add(relation.table);
    const between = scope.alias();
    one.from({ [between]: relation.table }).where(`${between}.${relation.from}`, id);
    if (conditions.length > 0) one.join({ [alias]: model.table }, `${alias}.id`, `${between}.${relation.toColumn}`);
  } else {
    one.from({ [alias]: model.table });
    if (relation.kind === 'one2many') one.where(`${alias}.${relation.inverseColumn}`, id);
    else one.where(`${alias}.id`, knex.ref(`${level.alias}.${field.column ?? ''}`));
  }
  return knex.raw('exists ?', [allWhere(one, conditions)]);
}

/** SQL for "the reader may see this row"; null when every row may be seen. */
export function guardSql(scope: SqlScope, { model, alias, guarded }: Level): Sql | null {
  if (!guarded) return null;
  const guard = scope.guardOf(model.name);
  if (!guard) return scope.knex.raw('false');
  return domainSql(scope, { model, alias, source: guard.source, guarded: false }, guard.domain.node);
}

/** Where a field's value really is: behind a related field, or the naming field behind `display_name`. */
export function realPath(field: CompiledField, model: CompiledModel): readonly string[] | null {
  if (field.related) return field.related;
  return field.name === 'display_name' && model.nameField ? [model.nameField.name] : null;
}

/** The field of a name that code wrote. Throws WrongCode when there is none; names from outside were checked before (`outside.ts`). */
export function fieldOf(model: CompiledModel, name: string): CompiledField {
  const field = model.fields.get(name);
  if (field) return field;
  throw new WrongCode(`“${model.name}” has no field “${name}”.`, closest(name, model.fields.keys()));
}
