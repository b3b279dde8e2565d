import { parseSync } from '@swc/core';
import {
  type AstNode,
  argumentsOf,
  identifier,
  isNode,
  nodes,
  nodesIn,
  spanOf,
  textOf,
  unwrap,
} from '../syntax-tree.ts';

/** Start and end of a name, in bytes. */
type Span = readonly [start: number, end: number];

/**
 * Names in a file of code that can't mean a field of a model: options of fields (`f.char({ size: 80 })`), fields of other models, and
 * attributes of JSX. Empty for code that can't be parsed.
 *
 * @param modelOf model of each class, by class name
 */
export function otherMeanings(
  source: string,
  {
    tsx,
    model,
    modelOf,
  }: { readonly tsx: boolean; readonly model: string; readonly modelOf: ReadonlyMap<string, string> },
): Span[] {
  const program = parsed(source, tsx);
  return [...nodesIn(program)].flatMap((node) => {
    if (node.type === 'JSXAttribute') return isNode(node.name) ? [spanOf(node.name)] : [];
    if (node.type !== 'CallExpression') return [];
    const args = argumentsOf(node);
    const callee = unwrap(node.callee);
    if (callee?.type === 'MemberExpression' && identifier(callee.object) === 'f') return args.flatMap(keysOf);
    const [first, fields] = args;
    const declares = callee && /^(model|mixin|extend)$/.test(identifier(callee) ?? '');
    const declared = textOf(unwrap(first)) ?? modelOf.get(identifier(first) ?? '');
    return declares && declared !== undefined && declared !== model ? keysOf(fields) : [];
  });
}

/** Models that classes declare in a file of code, by class name. */
export function modelsIn(source: string, tsx: boolean): [string, string][] {
  return [...nodesIn(parsed(source, tsx))].flatMap((node): [string, string][] => {
    if (node.type !== 'ClassDeclaration') return [];
    const base = unwrap(node.superClass);
    const [first] = base?.type === 'CallExpression' && identifier(base.callee) === 'model' ? argumentsOf(base) : [];
    const name = textOf(unwrap(first));
    return name === null ? [] : [[identifier(node.identifier) ?? '', name]];
  });
}

function parsed(source: string, tsx: boolean): unknown {
  try {
    return parseSync(source, { syntax: 'typescript', tsx, target: 'es2024' });
  } catch {
    // The compiler reports syntax errors.
    return null;
  }
}

/** The names of an object's own properties. */
function keysOf(value: unknown): Span[] {
  const object: AstNode | undefined = unwrap(value);
  if (object?.type !== 'ObjectExpression') return [];
  return nodes(object.properties).flatMap(({ key }) => (isNode(key) ? [spanOf(key)] : []));
}
