import { isBuiltin } from 'node:module';
import type { Node } from 'oxc-parser';
import type { CodeFile, Declaration } from './code-file.ts';
import { constantText, memberKey } from './constants.ts';
import { isFunction, keyOf, unwrapped } from './syntax.ts';

// An origin says where a value comes from:
//
//   global:fetch                 a global, however it is reached: globalThis['fetch'], Reflect.get(self, 'fetch')
//   node:fs#promises.readFile    a member of a module; `fs` and its default export are the same
//   pergola#route.page           of Pergola or another package
//   ./mailer.ts#send             of a file of the addon
//   ctx:sudo                     a member of that name of a value nothing is known about, for members of `ctx`

const globalObjects = new Set(['globalThis', 'global', 'window', 'self', 'frames', 'parent', 'top']);

/** Members of `ctx` that matter, and of services bound to it. */
const contextMembers = new Set(['sudo', 'db', 'model', 'modelNamed', 'config', 'as']);

/** Maximum depth of values that come from others. */
const DEEPEST = 24;

/** Where the value of an expression may come from; several for conditions and variables that change. */
export class Origins {
  readonly #code: CodeFile;
  readonly #found = new Map<Node, ReadonlySet<string>>();

  constructor(code: CodeFile) {
    this.#code = code;
  }

  of(node: Node | null | undefined, depth = 0): ReadonlySet<string> {
    if (!node || depth > DEEPEST) return new Set();
    const cached = this.#found.get(node);
    if (cached) return cached;
    // For values that refer to themselves.
    this.#found.set(node, new Set());
    const origins = new Set(this.#read(unwrapped(node), depth));
    this.#found.set(node, origins);
    return origins;
  }

  /** Whether one of the origins fits. */
  some(node: Node | null | undefined, fits: (origin: string) => boolean): boolean {
    return [...this.of(node)].some(fits);
  }

  #read(node: Node, depth: number): readonly string[] {
    const read = (part: Node | null | undefined): string[] => [...this.of(part, depth + 1)];
    switch (node.type) {
      case 'Identifier':
      case 'JSXIdentifier':
        return this.#ofName(node, node.name, depth);
      case 'MemberExpression': {
        const key = memberKey(this.#code, node);
        return key === undefined ? [] : members(read(node.object), key);
      }
      case 'ImportExpression': {
        const specifier = constantText(this.#code, node.source);
        return specifier === undefined ? [] : [moduleOrigin(specifier)];
      }
      case 'ConditionalExpression':
        return [...read(node.consequent), ...read(node.alternate)];
      case 'LogicalExpression':
        return [...read(node.left), ...read(node.right)];
      case 'SequenceExpression':
        return read(node.expressions.at(-1));
      case 'AssignmentExpression':
        return read(node.right);
      case 'CallExpression':
        return this.#ofCall(node, depth);
      default:
        return [];
    }
  }

  #ofName(node: Node, name: string, depth: number): readonly string[] {
    const declaration = this.#code.declarationOf(node);
    if (!declaration) return name === 'undefined' ? [] : globalObjects.has(name) ? ['global:'] : [`global:${name}`];
    return [...this.#declared(declaration, name, depth), ...this.#assigned(declaration, depth)];
  }

  #assigned(declaration: Declaration, depth: number): string[] {
    return this.#code.assignedTo(declaration).flatMap((value) => [...this.of(value, depth + 1)]);
  }

  #declared(declaration: Declaration, name: string, depth: number): readonly string[] {
    switch (declaration.type) {
      case 'Import': {
        const { node, importNode } = declaration;
        const module = moduleOrigin(importNode.source.value);
        if (node.type === 'ImportNamespaceSpecifier') return [module];
        if (node.type === 'ImportDefaultSpecifier') return [member(module, 'default')];
        return [member(module, 'name' in node.imported ? node.imported.name : node.imported.value)];
      }
      case 'Variable': {
        for (const { id, init } of declaration.variableNode.declarations) {
          const path = pathTo(id, name, this.#code);
          if (path) return path.reduce((origins, key) => members(origins, key), [...this.of(init, depth + 1)]);
        }
        return [];
      }
      case 'FunctionParam': {
        for (const parameter of declaration.fnNode.params) {
          const path = pathTo(parameter as Node, name, this.#code);
          if (path)
            return path.reduce((origins, key) => members(origins, key), this.#elements(declaration.fnNode, depth));
        }
        return [];
      }
      default:
        return [];
    }
  }

  /** What a function is called with for each element of a list: `[Author, Book].map((model) => …)`. */
  #elements(node: Node, depth: number): string[] {
    const call = this.#code.parentOf(node);
    if (call?.type !== 'CallExpression' || call.arguments[0] !== node || call.callee.type !== 'MemberExpression')
      return [];
    const list = unwrapped(call.callee.object);
    const isEach = ['map', 'flatMap', 'forEach', 'filter'].includes(memberKey(this.#code, call.callee) ?? '');
    if (!isEach || list.type !== 'ArrayExpression') return [];
    return list.elements.flatMap((element) => [...this.of(element as Node | null, depth + 1)]);
  }

  #ofCall(node: Extract<Node, { type: 'CallExpression' }>, depth: number): readonly string[] {
    const [first, second] = node.arguments as Node[];
    return [...this.of(node.callee, depth + 1)].flatMap((callee) => {
      const specifier = constantText(this.#code, first);
      if (isRequire(callee)) return specifier === undefined ? [] : [moduleOrigin(specifier)];
      if (callee === 'global:process.getBuiltinModule') return specifier === undefined ? [] : [moduleOrigin(specifier)];
      if (callee === 'node:module#createRequire') return ['global:require'];
      if (callee === 'node:util#promisify') return [...this.of(first, depth + 1)];
      const key = constantText(this.#code, second);
      if (callee === 'global:Reflect.get' && key !== undefined) return members([...this.of(first, depth + 1)], key);
      if (callee === 'ctx:sudo') return ['ctx:lifted'];
      // `fetch.bind(null)`
      return callee.endsWith('.bind') ? [callee.slice(0, -'.bind'.length)] : [];
    });
  }
}

/** Whether an origin loads CommonJS modules. */
export function isRequire(origin: string): boolean {
  return origin === 'global:require' || origin === 'global:module.require';
}

function moduleOrigin(specifier: string): string {
  if (!isBuiltin(specifier)) return specifier;
  const name = specifier.replace(/^node:/, '');
  if (name === 'process') return 'global:process';
  // `node:fs/promises` is `promises` of `node:fs`.
  const [, parent = '', part = ''] = /^(fs|dns|timers|stream|readline)\/(promises)$/.exec(name) ?? [];
  return part ? `node:${parent}#${part}` : `node:${name}`;
}

function members(origins: readonly string[], key: string): string[] {
  if (origins.length === 0) return contextMembers.has(key) ? [`ctx:${key}`] : [];
  return origins.map((origin) => member(origin, key));
}

function member(origin: string, key: string): string {
  if (origin === 'global:') return globalObjects.has(key) ? 'global:' : `global:${key}`;
  if (origin === 'ctx:lifted' && contextMembers.has(key)) return `lifted:${key}`;
  if (key === 'default' && /^(node|global):/.test(origin)) return origin;
  // `f.call(…)` calls `f`.
  if ((key === 'call' || key === 'apply') && /[#:.]/.test(origin)) return origin;
  return /^(global|ctx|lifted):/.test(origin) || origin.includes('#') ? `${origin}.${key}` : `${origin}#${key}`;
}

/** Keys from a pattern to the variable it declares: `['a', 'b']` for `b` in `{ a: { b } }`; null if it doesn't declare it. */
function pathTo(pattern: Node, name: string, code: CodeFile): readonly string[] | null {
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name ? [] : null;
    case 'AssignmentPattern':
      return pathTo(pattern.left, name, code);
    case 'TSParameterProperty':
      return pathTo(pattern.parameter as Node, name, code);
    case 'RestElement':
      return pathTo(pattern.argument, name, code);
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          if (pathTo(property, name, code)) return [];
          continue;
        }
        const path = pathTo(property.value, name, code);
        const key = property.computed ? constantText(code, property.key) : keyOf(property);
        if (path) return [key ?? '', ...path];
      }
      return null;
    case 'ArrayPattern':
      for (const [index, element] of pattern.elements.entries()) {
        const path = element ? pathTo(element, name, code) : null;
        if (path) return [String(index), ...path];
      }
      return null;
    default:
      return null;
  }
}

/** Whether code at this node runs while its file is loaded: in no function, or only in functions that are called at once. */
export function runsAtLoad(code: CodeFile, node: Node): boolean {
  for (let at: Node | null = node, parent = code.parentOf(node); parent; at = parent, parent = code.parentOf(parent)) {
    if (parent.type === 'PropertyDefinition' && !parent.static && parent.value === at) return false;
    if (isFunction(parent) && !isCalledAtOnce(code, parent)) return false;
  }
  return true;
}

function isCalledAtOnce(code: CodeFile, node: Node): boolean {
  for (let at = node, parent = code.parentOf(node); parent; at = parent, parent = code.parentOf(parent)) {
    if (parent.type === 'CallExpression') return parent.callee === at || unwrapped(parent.callee) === node;
    if (unwrapped(parent) !== node) return false;
  }
  return false;
}
