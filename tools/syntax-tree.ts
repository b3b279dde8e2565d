/** A node of swc's syntax tree; its properties depend on its type. */
export type AstNode = { readonly type: string } & Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isNode(value: unknown): value is AstNode {
  return isObject(value) && typeof value.type === 'string';
}

/** Elements of a list that are nodes. */
export function nodes(value: unknown): AstNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Yields the value itself, if it is a node, and all its descendants in order. */
export function* nodesIn(value: unknown): Generator<AstNode> {
  if (isNode(value)) yield value;
  if (isObject(value)) for (const child of Object.values(value)) yield* nodesIn(child);
}

/** The name of an identifier. */
export function identifier(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node.value) : undefined;
}

/** Argument expressions of a call. */
export function argumentsOf({ arguments: args }: AstNode): unknown[] {
  return Array.isArray(args) ? args.map((arg: unknown) => (isObject(arg) ? arg.expression : undefined)) : [];
}

/** Value of a string literal. */
export function textOf(value: unknown): string | null {
  return isNode(value) && typeof value.value === 'string' ? value.value : null;
}

/** Wrappers that don't change a value: parentheses, `as const`, `satisfies …`, `!` and `await`. */
const wrappers = [
  'ParenthesisExpression',
  'TsAsExpression',
  'TsConstAssertion',
  'TsSatisfiesExpression',
  'TsNonNullExpression',
  'AwaitExpression',
];

export function unwrap(value: unknown): AstNode | undefined {
  if (!isNode(value)) return undefined;
  return wrappers.includes(value.type) ? unwrap(value.expression ?? value.argument) : value;
}

/** Name of an identifier, or of the property that an expression such as `a.b` or `a?.['b']` reads; empty for anything else. */
export function nameOf(node: AstNode | undefined): string {
  if (!node) return '';
  if (node.type === 'Identifier') return String(node.value);
  if (node.type === 'OptionalChainingExpression') return nameOf(unwrap(node.base));
  if (node.type !== 'MemberExpression' || !isNode(node.property)) return '';
  const property = node.property.type === 'Computed' ? node.property.expression : node.property;
  return isNode(property) ? String(property.value ?? '') : '';
}

/** Start and end of a node, in bytes from 0; swc offsets start at 1. */
export function spanOf({ span }: AstNode): [number, number] {
  return isObject(span) ? [Number(span.start) - 1, Number(span.end) - 1] : [0, 0];
}

/** Line number of a byte offset. */
export function lineAt(source: Buffer, offset: number): number {
  let line = 1;
  for (let newline = source.indexOf(10); newline >= 0 && newline < offset; newline = source.indexOf(10, newline + 1))
    line++;
  return line;
}
