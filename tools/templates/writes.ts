import { relative, sep } from 'node:path';
import { repository } from '@pergola/core';
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { type Project, SymbolFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { type CodeFault, propertyOf } from './code-faults.ts';

const WRITES = new Set(['create', 'write', 'unlink', 'copy']);
/** Methods that call their function argument immediately. */
const CALLERS = new Set([
  'map',
  'flatMap',
  'filter',
  'forEach',
  'find',
  'some',
  'every',
  'reduce',
  'all',
  'allSettled',
]);
/** How many calls deep to look for writes. */
const MAX_DEPTH = 4;

/**
 * Finds writes in a page or in the `load` of a block or fragment, which are read-only: the request would be refused. Follows calls to
 * addons' methods and functions.
 */
export class WritesInReads {
  readonly #project: Project;
  /** First write of each visited function by position, or null. */
  readonly #known = new Map<string, Write | null>();

  constructor(project: Project) {
    this.#project = project;
  }

  in(call: CallExpression): CodeFault[] {
    const reader = readerIn(call);
    if (!reader) return [];
    return [...callsIn(reader)].flatMap((node): CodeFault[] => {
      const direct = this.#directWrite(node);
      if (direct !== null) {
        const message = `Pages, blocks and fragments are read-only, so ${direct}(…) is refused. Write in an action, a form or a job.`;
        return [{ node, message }];
      }
      const write = this.#writeBehind(node, MAX_DEPTH);
      if (!write) return [];
      const message = `Pages, blocks and fragments are read-only, so ${nameOf(node.expression)}(…) is refused: it calls ${write.method}(…) at ${write.place}. Call it in an action, a form or a job.`;
      return [{ node, message }];
    });
  }

  /** The writing model method that this calls, or null. */
  #directWrite({ expression }: CallExpression): string | null {
    if (!isPropertyAccessExpression(expression) || !WRITES.has(expression.name.text)) return null;
    const { checker } = this.#project;
    const type = checker.getTypeAtLocation(expression.expression);
    const isModel = type !== undefined && checker.getPropertyOfType(type, '$fields') !== undefined;
    return isModel ? expression.name.text : null;
  }

  #writeBehind(call: CallExpression, depth: number): Write | null {
    const body = depth > 0 ? this.#functionOf(call.expression) : undefined;
    if (!body) return null;
    const place = placeOf(body);
    const cached = this.#known.get(place);
    if (cached !== undefined) return cached;
    // Stops recursion between functions that call each other.
    this.#known.set(place, null);
    for (const node of callsIn(body)) {
      const method = this.#directWrite(node);
      const write = method === null ? this.#writeBehind(node, depth - 1) : { method, place: placeOf(node) };
      if (!write) continue;
      this.#known.set(place, write);
      return write;
    }
    return null;
  }

  /** The addon function that a call runs, or undefined. */
  #functionOf(callee: Expression): Node | undefined {
    const name = isPropertyAccessExpression(callee) ? callee.name : callee;
    if (!isIdentifier(name)) return undefined;
    const declaration = declarationOf(this.#project.checker.getSymbolAtLocation(name), this.#project);
    if (!declaration || !isOfAddon(declaration.getSourceFile().fileName)) return undefined;
    if (isMethodDeclaration(declaration) || isFunctionDeclaration(declaration)) return declaration.body;
    const initializer = isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return initializer && (isArrowFunction(initializer) || isFunctionExpression(initializer))
      ? initializer.body
      : undefined;
  }
}

interface Write {
  readonly method: string;
  /** `models/book.ts:12` */
  readonly place: string;
}

function declarationOf(symbol: TypeSymbol | undefined, project: Project): Node | undefined {
  if (!symbol) return undefined;
  const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
  return (isAlias ? project.checker.getAliasedSymbol(symbol) : symbol).valueDeclaration?.resolve(project);
}

function isOfAddon(file: string): boolean {
  const inside = file.startsWith(repository + sep) ? relative(repository, file) : null;
  return !file.includes('/node_modules/') && (inside === null || /^(addons|examples)\//.test(inside));
}

function readerIn(call: CallExpression): Node | undefined {
  const { expression } = call;
  const definition = call.arguments.find(isObjectLiteralExpression);
  const name = isIdentifier(expression) ? expression.text : '';
  const isPage = isPropertyAccessExpression(expression) && expression.getText() === 'route.page';
  const load = definition && ['block', 'fragment'].includes(name) ? propertyOf(definition, 'load') : undefined;
  const reader = isPage ? call.arguments.at(-1) : load;
  return reader && isArrowFunction(reader) ? reader.body : undefined;
}

/** Calls that run together with the code, not those in functions kept for later. */
function* callsIn(node: Node): Generator<CallExpression> {
  if (isCallExpression(node)) yield node;
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) {
    const isFunction = isArrowFunction(child) || isFunctionExpression(child) || isFunctionDeclaration(child);
    if (!isFunction || (isCallExpression(node) && CALLERS.has(nameOf(node.expression)))) yield* callsIn(child);
  }
}

function nameOf(callee: Expression): string {
  if (isPropertyAccessExpression(callee)) return callee.name.text;
  return isIdentifier(callee) ? callee.text : '';
}

/** Position relative to the addon: `models/book.ts:12`. */
function placeOf(node: Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  const name = source.fileName.startsWith(repository + sep) ? relative(repository, source.fileName) : source.fileName;
  return `${name}:${line + 1}`;
}
