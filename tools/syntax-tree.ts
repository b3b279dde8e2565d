/** A node of swc's tree; which properties there are depends on its type. */
export type AstNode = { readonly type: string } & Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isNode(value: unknown): value is AstNode {
  return isObject(value) && typeof value.type === 'string';
}

/** Those of a list that are nodes. */
export function nodes(value: unknown): AstNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A value's own node, if it is one, and every one below it, in order. */
export function* nodesIn(value: unknown): Generator<AstNode> {
  if (isNode(value)) yield value;
  if (isObject(value)) for (const child of Object.values(value)) yield* nodesIn(child);
}

/** The name of an identifier. */
export function identifier(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node.value) : undefined;
}

/** The expressions a call is given. */
export function argumentsOf({ arguments: args }: AstNode): unknown[] {
  return Array.isArray(args) ? args.map((arg: unknown) => (isObject(arg) ? arg.expression : undefined)) : [];
}

/** The text of a literal. */
export function textOf(value: unknown): string | null {
  return isNode(value) && typeof value.value === 'string' ? value.value : null;
}

/** Brackets, `as const`, `satisfies …`, `!` and `await`: what stands around a value without making another of it. */
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

/** Where a node begins and ends, in bytes from 0; swc counts from 1. */
export function spanOf({ span }: AstNode): [number, number] {
  return isObject(span) ? [Number(span.start) - 1, Number(span.end) - 1] : [0, 0];
}

/** The line of an offset in bytes. */
export function lineAt(source: Buffer, offset: number): number {
  let line = 1;
  for (let at = source.indexOf(10); at >= 0 && at < offset; at = source.indexOf(10, at + 1)) line++;
  return line;
}
