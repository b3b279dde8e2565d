import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from '@swc/core';
import fc from 'fast-check';
import { repository } from '../core/base/addon-folders.ts';
import { type AstNode, isNode, lineAt, nodes, nodesIn, spanOf } from '../tools/syntax-tree.ts';

// Plants faults at random places of core and addons, one after the other, and runs the tests of the same part that load the file:
// `npx node bench/mutants.ts --count 400 --seed 1 core/db addons`. What no test notices is printed at the end. It works in a clone of the last commit.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});
const parts = positionals.length > 0 ? positionals : ['core', 'addons'];

/** A change of a source text that makes it wrong. */
interface Fault {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
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

function faultsIn(file: string): Fault[] {
  const source = readFileSync(join(repository, file));
  const program = parseSync(source.toString(), { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2024' });
  return [...nodesIn(program.body)].flatMap((node): Fault[] => {
    const [start, end, text] = faultOf(node, source) ?? [];
    return start === undefined || end === undefined || text === undefined
      ? []
      : [{ file, line: lineAt(source, start), start, end, text }];
  });
}

/** Where to put which text instead; null where a node lends itself to no fault. */
function faultOf(node: AstNode, source: Buffer): [start: number, end: number, text: string] | null {
  const [start, end] = spanOf(node);
  if (node.type === 'AwaitExpression') return [start, start + 'await'.length, ''];
  if (node.type === 'NumericLiteral' && Number(node.value) > 1) return [start, end, String(Number(node.value) + 1)];
  if (node.type === 'IfStatement' && isNode(node.consequent)) {
    const { consequent } = node;
    return nodes(consequent.stmts).length > 0 ? [...spanOf(consequent), '{}'] : null;
  }
  const other = node.type === 'BinaryExpression' && flipped[String(node.operator)];
  if (!other || !isNode(node.left)) return null;
  const at = source.indexOf(String(node.operator), spanOf(node.left)[1]);
  return [at, at + String(node.operator).length, other];
}

const isProduct = (file: string): boolean =>
  !/\/(tests|demo|fixtures|migrations|node_modules|i18n)\/|\.d\.ts$/.test(file);

/** `core/db` of `core/db/sqlite/writer.ts`: whose tests have to notice. */
const partOf = (file: string): string => file.split('/').slice(0, 2).join('/');

const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
const clone = join(folder, 'clone');
execFileSync('git', ['clone', '--quiet', repository, clone]);
symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'));
const jest = (...args: string[]) =>
  spawnSync('npm', ['test', '--silent', '--', ...args], { cwd: clone, encoding: 'utf8', timeout: 600_000 });

try {
  const files = parts.flatMap((part) => globSync(`${part}/**/*.{ts,tsx}`, { cwd: repository })).filter(isProduct);
  const all = files.flatMap(faultsIn);
  const [chosen = []] = fc.sample(fc.shuffledSubarray(all, { minLength: Math.min(all.length, Number(values.count)) }), {
    seed: Number(values.seed),
    numRuns: 1,
  });
  const unnoticed: Fault[] = [];
  const picked = chosen.slice(0, Number(values.count));
  for (const [index, fault] of picked.entries()) {
    const path = join(clone, fault.file);
    const source = readFileSync(path);
    const listed = jest('--listTests', '--findRelatedTests', fault.file).stdout.split('\n');
    const tests = listed.filter((test) => test.startsWith(join(clone, partOf(fault.file))));
    writeFileSync(
      path,
      Buffer.concat([source.subarray(0, fault.start), Buffer.from(fault.text), source.subarray(fault.end)]),
    );
    const isNoticed = tests.length > 0 && jest('--bail', '--runTestsByPath', ...tests).status !== 0;
    writeFileSync(path, source);
    if (!isNoticed) unnoticed.push(fault);
    console.log(`${index + 1}/${picked.length} ${isNoticed ? 'noticed' : 'NOT NOTICED'} ${describe(fault, source)}`);
  }
  console.log(`${picked.length - unnoticed.length} of ${picked.length} faults were noticed.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function describe({ file, line, start, end, text }: Fault, source: Buffer): string {
  const before = source.subarray(start, end).toString();
  const shown = before.length > 40 ? `${before.slice(0, 40).replace(/\s+/g, ' ')}…` : before;
  return `${file}:${line}: ${shown} → ${text || 'nothing'}`;
}
