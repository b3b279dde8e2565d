import {
  type AstNode,
  argumentsOf,
  identifier,
  isNode,
  isObject,
  nameOf,
  nodesIn,
  textOf,
  unwrap,
} from '../syntax-tree.ts';

/** The external id in `ref('base.eur')` or `ctx.ref('base.eur')`; `ctx.db.ref('a.id')` is a column. */
export function refIn(node: AstNode, knexes: ReadonlySet<string>): AstNode | null {
  const callee = unwrap(node.callee);
  if (node.type !== 'CallExpression' || nameOf(callee) !== 'ref' || isKnex(callee?.object, knexes)) return null;
  const [argument] = argumentsOf(node).map(unwrap);
  return argument && textOf(argument) !== null ? argument : null;
}

/** Names by which a file refers to knex: `db`, `knex`, parameters of type `Knex`, and constants derived from them. */
export function knexNames(program: unknown): ReadonlySet<string> {
  const names = new Set(['db', 'knex']);
  for (const node of nodesIn(program)) {
    const renamed =
      node.type === 'KeyValuePatternProperty' && names.has(identifier(node.key) ?? '') ? node.value : null;
    const variable = node.type === 'VariableDeclarator' && isKnex(node.init, names) ? node.id : null;
    const annotated = isObject(node.typeAnnotation) && isNode(node.typeAnnotation.typeAnnotation) ? node : null;
    const isTyped = annotated && [...nodesIn(node.typeAnnotation)].some((inner) => identifier(inner) === 'Knex');
    for (const name of [renamed, variable, isTyped ? annotated : null].map(identifier))
      if (name !== undefined) names.add(name);
  }
  return names;
}

function isKnex(value: unknown, names: ReadonlySet<string>): boolean {
  const node = unwrap(value);
  if (node?.type === 'CallExpression') return isKnex(node.callee, names);
  if (node?.type === 'MemberExpression') return names.has(nameOf(node)) || isKnex(node.object, names);
  return names.has(identifier(node) ?? '');
}

/** Distinguishes knex's methods from our own by their arguments: knex takes column names only, ours take the table name first. */
export function destructiveCall(node: AstNode): string | null {
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type === 'Identifier') return null;
  const method = nameOf(node.callee);
  const count = argumentsOf(node).length;
  const isKnex =
    method === 'dropColumns' || (method === 'dropColumn' && count === 1) || (method === 'alter' && count < 2);
  return isKnex ? method : null;
}
