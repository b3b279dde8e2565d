import type {
  BindingElement,
  CallExpression,
  Expression,
  Node,
  ObjectLiteralExpression,
} from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isBindingElement,
  isCallExpression,
  isFunctionExpression,
  isIdentifier,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';

/** Code that the compiler accepts but the site ignores or rejects. */
export interface CodeFault {
  readonly node: Node;
  readonly message: string;
}

/**
 * Finds options of `block(…)` that its `load` doesn't read, and `query` values of a route that its handler doesn't read. Skips values
 * passed on as a whole, and schemas or functions declared elsewhere.
 */
export function unreadNames(call: CallExpression): CodeFault[] {
  const { expression } = call;
  if (isIdentifier(expression) && expression.text === 'block') {
    const definition = call.arguments[1];
    const options = definition && propertyOf(definition, 'options');
    const load = definition && propertyOf(definition, 'load');
    const fault = (name: string) => `The block never reads its option “${name}”. Read it in load, or remove it.`;
    return unread(options, load && parameter(load, 1), fault);
  }
  const isRoute = isPropertyAccessExpression(expression) && expression.expression.getText() === 'route';
  const definition = call.arguments.find(isObjectLiteralExpression);
  const handler = call.arguments.at(-1);
  if (!isRoute || !definition || !handler) return [];
  const request = parameter(handler, 0);
  const query = request && request !== 'absent' ? bindingOf(request.name, 'query') : undefined;
  const fault = (name: string) =>
    `The route never reads “${name}” from its query. Read it in the handler, or remove it.`;
  return query ? unread(propertyOf(definition, 'query'), { name: query, body: handler }, fault) : [];
}

interface Parameter {
  readonly name: Node;
  /** Where the value can be read. */
  readonly body: Node;
}

function unread(
  schema: Expression | undefined,
  values: Parameter | 'absent' | undefined,
  message: (name: string) => string,
): CodeFault[] {
  const shape = schema && isCallExpression(schema) ? schema.arguments[0] : undefined;
  if (!shape || !isObjectLiteralExpression(shape) || schema?.getText().startsWith('z.object(') !== true) return [];
  const read = values === 'absent' ? new Set<string>() : values && namesRead(values.name, values.body);
  if (!read) return [];
  return shape.properties.filter(isPropertyAssignment).flatMap((node) => {
    const name = node.name.getText().replace(/^['"]|['"]$/g, '');
    return read.has(name) ? [] : [{ node, message: message(name) }];
  });
}

export function propertyOf(list: Node, name: string): Expression | undefined {
  if (!isObjectLiteralExpression(list)) return undefined;
  return (list as ObjectLiteralExpression).properties
    .filter(isPropertyAssignment)
    .find((property) => property.name.getText() === name)?.initializer;
}

function parameter(node: Expression, index: number): Parameter | 'absent' | undefined {
  if (!isArrowFunction(node) && !isFunctionExpression(node)) return undefined;
  const declared = node.parameters[index];
  return declared ? { name: declared.name, body: node } : 'absent';
}

/** Members read from a binding; undefined if the value is used as a whole. */
function namesRead(binding: Node, body: Node): Set<string> | undefined {
  const names = new Set<string>();
  if (isObjectBindingPattern(binding)) {
    for (const element of binding.elements) {
      if (element.dotDotDotToken) return undefined;
      names.add(memberOf(element) ?? '');
    }
    return names;
  }
  const { text } = binding as { text?: string };
  for (const node of descendants(body)) {
    if (!isIdentifier(node) || node.text !== text || node === binding) continue;
    const { parent } = node;
    if (isPropertyAccessExpression(parent) && parent.expression === node) names.add(parent.name.text);
    else if (isVariableDeclaration(parent) && parent.initializer === node) {
      const nestedNames = namesRead(parent.name, body);
      if (!nestedNames) return undefined;
      for (const name of nestedNames) names.add(name);
    } else if (!isPropertyAccessExpression(parent) && !(isPropertyAssignment(parent) && parent.name === node))
      return undefined;
  }
  return names;
}

function bindingOf(pattern: Node, name: string): Node | undefined {
  if (!isObjectBindingPattern(pattern)) return undefined;
  const elements = pattern.elements.filter(isBindingElement);
  return elements.find((element) => memberOf(element) === name)?.name;
}

/** Property that a binding element reads: `query` in `{ query: { page } }`. */
function memberOf({ propertyName, name }: BindingElement): string | undefined {
  return (propertyName ?? name)?.getText();
}

/** All descendants of a node. */
export function* descendants(node: Node): Generator<Node> {
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* descendants(child);
  }
}
