import { type AstNode, argumentsOf, identifier, isNode, nodes, nodesIn, textOf, unwrap } from '../syntax-tree.ts';

/** An argument that a route or a method declares. */
export interface Argument {
  readonly node: AstNode;
  readonly name: string;
}

/** Properties under which handlers receive validated request data. */
const sources = ['input', 'body', 'query'];

/**
 * Finds arguments that the schema of a route (`input`, `body`, `query`) or of a callable method accepts but its functions never read:
 * callers who send them get neither an effect nor an error. A handler that passes the whole object on counts as reading all of them.
 *
 * @param call any call expression of the module
 * @param declarations constants of the module by name, to resolve schemas declared separately
 */
export function unreadArguments(call: AstNode, declarations: ReadonlyMap<string, AstNode>): Argument[] {
  const callee = unwrap(call.callee);
  const args = argumentsOf(call).map(unwrap);
  if (identifier(callee) === 'method') {
    const handler = args.find((arg) => isFunction(arg));
    const parameter = handler ? nodes(handler.params)[1] : undefined;
    return handler && parameter ? unreadOf(args[0], [handler], [parameter], declarations) : [];
  }
  if (callee?.type !== 'MemberExpression' || identifier(callee.object) !== 'route') return [];
  const options = args.find((arg) => arg?.type === 'ObjectExpression');
  const functions = args.flatMap((arg) => [...nodesIn(arg)].filter(isFunction));
  return nodes(options?.properties).flatMap((property) => {
    const source = identifier(property.key) ?? '';
    return sources.includes(source) ? unreadOf(property.value, functions, [source], declarations) : [];
  });
}

function unreadOf(
  schema: unknown,
  functions: readonly AstNode[],
  parameters: readonly (string | AstNode)[],
  declarations: ReadonlyMap<string, AstNode>,
): Argument[] {
  const declared = argumentsIn(schema, declarations);
  if (declared.length === 0 || functions.length === 0) return [];
  const reading = new Reading();
  for (const source of parameters) {
    if (typeof source === 'string') reading.names.add(source);
    else reading.take(source.type === 'Parameter' ? source.pat : source);
  }
  for (const handler of functions) {
    // If a handler takes its call as one object, the functions it passes it to may read anything.
    if (typeof parameters[0] === 'string' && firstParameter(handler)?.type === 'Identifier') return [];
    reading.walk(handler);
  }
  return reading.isWhole ? [] : declared.filter(({ name }) => !reading.readNames.has(name));
}

function firstParameter({ params }: AstNode): AstNode | undefined {
  const [first] = nodes(params);
  return first?.type === 'Parameter' ? unwrap(first.pat) : first;
}

/** Properties of `z.object({…})`, written inline or as a module constant. */
function argumentsIn(value: unknown, declarations: ReadonlyMap<string, AstNode>): Argument[] {
  const schema = unwrap(value);
  const constant = declarations.get(identifier(schema) ?? '');
  if (constant) return argumentsIn(constant, new Map());
  if (schema?.type !== 'CallExpression' || !isNode(schema.callee) || schema.callee.type !== 'MemberExpression')
    return [];
  const maker = identifier(schema.callee.property) ?? '';
  const shape = unwrap(argumentsOf(schema)[0]);
  if (!/^(strict|loose)?object$/i.test(maker) || shape?.type !== 'ObjectExpression') return [];
  return nodes(shape.properties).flatMap((property) => {
    const name = identifier(property.key) ?? textOf(property.key);
    return property.type === 'KeyValueProperty' && name ? [{ node: property, name }] : [];
  });
}

function isFunction(node: AstNode | undefined): node is AstNode {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

/** Records which properties of certain variables a function reads. */
class Reading {
  readonly names = new Set<string>();
  readonly readNames = new Set<string>();
  isWhole = false;

  /** Handles a pattern that destructures such a variable or renames it. */
  take(pattern: unknown): void {
    if (!isNode(pattern)) return;
    if (pattern.type === 'ObjectPattern') {
      for (const property of nodes(pattern.properties)) {
        if (property.type === 'RestElement') this.isWhole = true;
        else this.readNames.add(identifier(property.key) ?? textOf(property.key) ?? '');
      }
    } else if (pattern.type === 'Identifier') this.names.add(String(pattern.value));
    else this.isWhole = true;
  }

  walk(node: unknown): void {
    if (Array.isArray(node)) for (const item of node) this.walk(item);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    if (isNode(node) && this.#reads(node)) return;
    for (const child of Object.values(node)) this.walk(child);
  }

  /** Whether the node reads such a variable, so its children need no further look. */
  #reads(node: AstNode): boolean {
    switch (node.type) {
      case 'ObjectPattern':
        for (const property of nodes(node.properties)) this.#readPattern(property);
        return true;
      case 'VariableDeclarator':
        if (!this.names.has(identifier(unwrap(node.init)) ?? '')) return false;
        this.take(node.id);
        return true;
      case 'MemberExpression': {
        if (!this.names.has(identifier(unwrap(node.object)) ?? '')) {
          this.walk(node.object);
          if (isNode(node.property) && node.property.type === 'Computed') this.walk(node.property);
          return true;
        }
        const name = identifier(node.property);
        if (name === undefined) this.isWhole = true;
        else this.readNames.add(name);
        return true;
      }
      case 'KeyValueProperty':
        this.walk(node.value);
        return true;
      case 'Identifier':
        if (this.names.has(String(node.value))) this.isWhole = true;
        return true;
      default:
        return false;
    }
  }

  /** Handles `{ input: { page } }` and `{ input: given }` in parameters. */
  #readPattern(property: AstNode): void {
    if (property.type === 'KeyValuePatternProperty' && this.names.has(identifier(property.key) ?? ''))
      this.take(property.value);
    else if (property.type === 'KeyValuePatternProperty') this.walk(property.value);
  }
}
