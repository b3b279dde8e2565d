import type { Node } from 'oxc-parser';

/** The expression inside parentheses, `await`, `as`, `satisfies`, `!` and optional chains. */
export function unwrapped(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return unwrapped(node.expression);
    case 'AwaitExpression':
      return unwrapped(node.argument);
    default:
      return node;
  }
}

export type CallNode = Extract<Node, { type: 'CallExpression' | 'NewExpression' }>;

export function isCall(node: Node | null): node is CallNode {
  return node?.type === 'CallExpression' || node?.type === 'NewExpression';
}

export function isFunction(node: Node): boolean {
  return /^(Arrow)?Function(Expression|Declaration)$/.test(node.type);
}

/** Value of a property of an object literal. */
export function propertyOf(object: Node | null | undefined, name: string): Node | undefined {
  const literal = object ? unwrapped(object) : null;
  if (literal?.type !== 'ObjectExpression') return undefined;
  const property = literal.properties.find((candidate) => candidate.type === 'Property' && keyOf(candidate) === name);
  return property?.type === 'Property' ? property.value : undefined;
}

/** Name of a property with a fixed name. */
export function keyOf(property: Node): string | undefined {
  if (!('key' in property) || !property.key || ('computed' in property && property.computed)) return undefined;
  const { key } = property;
  if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}
