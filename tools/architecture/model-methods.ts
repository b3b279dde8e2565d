import {
  type AstNode,
  argumentsOf,
  identifier,
  isNode,
  nameOf,
  nodes,
  nodesIn,
  textOf,
  unwrap,
} from '../syntax-tree.ts';

/**
 * Calls of `count` in a method that throws, and other searches in a `validate` that throws, unless they run under an `invariant` or the
 * method takes a lock itself. Throwing NotFound alone doesn't count.
 */
export function unlockedCounts(method: AstNode): AstNode[] {
  if (method.type !== 'ClassMethod' && method.type !== 'PrivateMethod') return [];
  const inside = [...nodesIn(method.function)];
  const callsOf = (name: RegExp) =>
    inside.filter((node) => node.type === 'CallExpression' && name.test(nameOf(unwrap(node.callee))));
  const refuses = inside.some(
    ({ type, argument }) =>
      type === 'ThrowStatement' && !(isNode(argument) && identifier(argument.callee) === 'NotFound'),
  );
  if (!refuses || callsOf(/lock/i).length > 0) return [];
  const underLock = new Set(callsOf(/^invariant$/).flatMap((call) => [...nodesIn(call)]));
  const isValidation = identifier(method.key) === 'validate';
  const counting = isValidation
    ? [...callsOf(/^count$/), ...callsOf(/^(search|find|first|group)$/).filter(looksForOthers)]
    : callsOf(/^count$/);
  return counting.filter((call) => !underLock.has(call));
}

/** Whether a call searches records by anything but their ids. */
function looksForOthers(call: AstNode): boolean {
  const domain = unwrap(argumentsOf(call)[0]);
  if (domain?.type !== 'ArrayExpression') return false;
  const conditions = argumentsOf({ type: '', arguments: domain.elements ?? [] }).map(unwrap);
  // An empty domain reads all records of a model in order to lock them.
  if (conditions.length === 0) return false;
  return !conditions.some((condition) => {
    const [field, operator] = argumentsOf({ type: '', arguments: condition?.elements ?? [] }).map(unwrap);
    return textOf(field) === 'id' && ['=', 'in'].includes(textOf(operator) ?? '');
  });
}

/**
 * Fields that methods of stored computed fields read from their records (`this.read(ids, { select: { … } })`) but the fields' `depends`
 * omits: the column would keep its old value when they change.
 */
export function missingDepends(node: AstNode): { readonly node: AstNode; readonly text: string }[] {
  if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return [];
  const call = unwrap(node.superClass);
  if (call?.type !== 'CallExpression' || identifier(call.callee) !== 'model') return [];
  const fields = unwrap(argumentsOf(call)[1]);
  const methods = new Map(nodes(node.body).map((member) => [identifier(member.key) ?? '', member]));
  return nodes(fields?.properties).flatMap((field) => {
    const declaration = unwrap(field.value);
    const options = declaration && unwrap(argumentsOf(declaration).at(-1));
    const option = (name: string) =>
      unwrap(nodes(options?.properties).find((property) => identifier(property.key) === name)?.value);
    const method = methods.get(textOf(option('compute')) ?? '');
    const isStored = option('store')?.value === true;
    const list = option('depends');
    if (!method || !isStored || (list !== undefined && list.type !== 'ArrayExpression')) return [];
    const depends = argumentsOf({ type: '', arguments: list?.elements ?? [] }).map(textOf);
    if (depends.includes(null)) return [];
    return [...nodesIn(method.function)].flatMap((inner) =>
      readPaths(inner)
        .filter((path) => !depends.some((dependency) => dependency === path || dependency?.startsWith(`${path}.`)))
        .map((path) => ({ node: isNode(field.key) ? field.key : field, text: `${identifier(field.key)}: ${path}` })),
    );
  });
}

/** Paths that a call of `this.read` selects: `days`, `tool_id.price`. */
function readPaths(call: AstNode): string[] {
  const callee = unwrap(call.callee);
  if (call.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || nameOf(callee) !== 'read') return [];
  if (unwrap(callee.object)?.type !== 'ThisExpression') return [];
  const options = unwrap(argumentsOf(call)[1]);
  return pathsIn(nodes(options?.properties).find((property) => identifier(property.key) === 'select')?.value);
}

function pathsIn(select: unknown): string[] {
  return nodes(unwrap(select)?.properties).flatMap((property) => {
    const name = identifier(property.key);
    if (name === undefined || property.type !== 'KeyValueProperty') return [];
    const value = unwrap(property.value);
    return value?.type === 'ObjectExpression' ? pathsIn(value).map((path) => `${name}.${path}`) : [name];
  });
}
