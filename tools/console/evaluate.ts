import { Script } from 'node:vm';
import { parseSync } from '@swc/core';
import { type AstNode, identifier, isNode, isObject, nodes } from '../syntax-tree.ts';

/** The code ends in the middle of a statement, so more lines are needed. */
export class Incomplete extends Error {}

/**
 * Runs JavaScript statements in the global scope, with top-level `await`. Declared names remain available to later statements, which may
 * redeclare them.
 *
 * @returns the value of the last statement, if it is an expression
 * @throws Incomplete for code that ends in the middle of a statement, or any error the code throws
 */
export async function evaluate(code: string): Promise<unknown> {
  return new AsyncFunction(asFunctionBody(code))();
}

/** Creates functions in the global scope and in sloppy mode, where assigning to an undeclared name creates a global. */
const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>;

/** Turns declarations into assignments to globals, and returns the last expression. */
function asFunctionBody(code: string): string {
  const bytes = Buffer.from(code);
  const statements = nodes(parse(code).body);
  const rewritten = statements.map((statement, index) => {
    const text = textOf(bytes, statement);
    if (statement.type === 'VariableDeclaration') return assignments(bytes, statement);
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
      return `${text};globalThis.${identifier(statement.identifier)} = ${identifier(statement.identifier)}`;
    if (statement.type === 'ExpressionStatement' && index === statements.length - 1)
      return `return (${textOf(bytes, statement.expression)}\n)`;
    return text;
  });
  return rewritten.join(';\n');
}

function assignments(bytes: Buffer, { declarations }: AstNode): string {
  return nodes(declarations)
    .map(({ id, init }) => `(${textOf(bytes, id)} = ${isNode(init) ? `(${textOf(bytes, init)})` : 'undefined'})`)
    .join(';');
}

function parse(code: string): AstNode {
  try {
    const program: unknown = parseSync(code, { syntax: 'ecmascript', target: 'es2024' });
    if (isNode(program)) return program;
  } catch (error) {
    // V8's message is shorter, and shows whether only the end is missing.
    const { message } = faultOf(`async () => {${code}`);
    const isOpen = /^Unexpected end/.test(message) || /unterminated block comment/i.test(String(error));
    throw isOpen ? new Incomplete(message) : new SyntaxError(message);
  }
  throw new SyntaxError('These are not valid statements.');
}

function faultOf(code: string): Error {
  try {
    new Script(code);
  } catch (error) {
    if (Error.isError(error)) return error;
  }
  return new Error('This is not valid JavaScript.');
}

/** Source text of a node; swc offsets start at 1. */
function textOf(bytes: Buffer, node: unknown): string {
  const span: unknown = isObject(node) ? node.span : undefined;
  return isObject(span)
    ? bytes
        .subarray(Number(span.start) - 1, Number(span.end) - 1)
        .toString()
        .replace(/;\s*$/, '')
    : '';
}
