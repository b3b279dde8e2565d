import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { type AstNode, isNode, isObject, lineAt, spanOf } from '../../tools/syntax-tree.ts';

/** A change to source text that makes it wrong. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  /** Byte range to replace. */
  readonly start: number;
  readonly end: number;
  /** Replacement text. */
  readonly wrong: string;
  /** Returns text that behaves wrongly while `flag` is true and correctly otherwise. */
  readonly switched: (flag: string) => string;
}

const flipped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
};

/** Finds all places of a file where a fault can be planted. */
export function faultsIn(root: string, file: string): Fault[] {
  const source = readFileSync(join(root, file));
  const program = parseSync(source.toString(), { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2024' });
  const text = (start: number, end: number): string => source.subarray(start, end).toString();
  return [...executed(program.body)].flatMap((node) => {
    const change = changeOf(node, text, source);
    return change ? [{ file, line: lineAt(source, change.start), ...change }] : [];
  });
}

/** Nodes that are executed: no types and no object keys. */
function* executed(value: unknown): Generator<AstNode> {
  if (isNode(value)) {
    const isType = value.type.startsWith('Ts') && !('expression' in value);
    if (isType) return;
    yield value;
  }
  if (!isObject(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const isKey = name === 'key' && isNode(child) && child.type === 'NumericLiteral';
    if (!isKey) yield* executed(child);
  }
}

function changeOf(
  node: AstNode,
  text: (start: number, end: number) => string,
  source: Buffer,
): Omit<Fault, 'file' | 'line'> | null {
  const [start, end] = spanOf(node);
  if (node.type === 'AwaitExpression') {
    const [wrong, right] = [text(start + 'await'.length, end), text(start, end)];
    return { start, end, wrong, switched: (flag) => `(${flag} ? (${wrong}) : ${right})` };
  }
  if (node.type === 'NumericLiteral' && Number(node.value) > 1) {
    // A time limit of 20,001 ms instead of 20,000 isn't a fault.
    const wrong = String(Number(node.value) < 1000 ? Number(node.value) + 1 : Number(node.value) * 2);
    return { start, end, wrong, switched: (flag) => `(${flag} ? ${wrong} : ${text(start, end)})` };
  }
  if (node.type === 'IfStatement' && isNode(node.consequent)) {
    const [from, to] = spanOf(node.consequent);
    return { start: from, end: to, wrong: '{}', switched: (flag) => `{ if (!${flag}) ${text(from, to)} }` };
  }
  const operator = String(node.operator);
  const replacement = node.type === 'BinaryExpression' && flipped[operator];
  if (!replacement || !isNode(node.left) || !isNode(node.right)) return null;
  const left = text(...spanOf(node.left));
  const right = text(...spanOf(node.right));
  const expression = (name: string): string => `(${left}) ${name} (${right})`;
  return source.indexOf(operator, spanOf(node.left)[1]) < 0
    ? null
    : {
        start,
        end,
        wrong: expression(replacement),
        switched: (flag) => `(${flag} ? ${expression(replacement)} : ${expression(operator)})`,
      };
}
