import { type Node, type ParserOptions, type Program, parseSync } from 'oxc-parser';
import { ScopeTracker, walk } from 'oxc-walker';

/** A declaration found by the scope analysis. */
export type Declaration = NonNullable<ReturnType<ScopeTracker['getDeclaration']>>;

/** An analysed source file. */
export interface CodeFile {
  /** absolute path */
  readonly path: string;
  /** relative to the addon's folder, with `/` */
  readonly file: string;
  /** Where it runs: islands are drawn on the server and continue in the browser. */
  readonly runsOn: 'server' | 'island' | 'browser';
  readonly program: Program;
  /** Every node, in source order. */
  readonly nodes: readonly Node[];
  parentOf(node: Node): Node | null;
  /** The declaration that an identifier refers to; null for a global. */
  declarationOf(node: Node): Declaration | null;
  /** Values that the code assigns to a variable after its declaration. */
  assignedTo(declaration: Declaration): readonly Node[];
  lineOf(node: Node): number;
}

/**
 * Parses a file and resolves its names.
 *
 * @throws SyntaxError if it isn't valid JavaScript or TypeScript
 */
export function readCode(source: string, options: { path: string; file: string }): CodeFile {
  const { program, errors } = parse(source, options.path);
  const [error] = errors;
  if (error) throw new SyntaxError(error.message);
  const scopeTracker = new ScopeTracker({ preserveExitedScopes: true });
  walk(program, { scopeTracker });
  scopeTracker.freeze();
  const nodes: Node[] = [];
  const parents = new Map<Node, Node>();
  const declarations = new Map<Node, Declaration>();
  const assigned = new Map<Declaration, Node[]>();
  walk(program, {
    scopeTracker,
    enter(node, parent) {
      nodes.push(node);
      if (parent) parents.set(node, parent);
      if (node.type === 'Identifier' || node.type === 'JSXIdentifier') {
        const declaration = scopeTracker.getDeclaration(node.name);
        if (declaration) declarations.set(node, declaration);
      }
      if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier') {
        const declaration = scopeTracker.getDeclaration(node.left.name);
        if (declaration) assigned.set(declaration, [...(assigned.get(declaration) ?? []), node.right]);
      }
    },
  });
  const lineStarts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return {
    ...options,
    runsOn: 'server',
    program,
    nodes,
    parentOf: (node) => parents.get(node) ?? null,
    declarationOf: (node) => declarations.get(node) ?? null,
    assignedTo: (declaration) => assigned.get(declaration) ?? [],
    lineOf: ({ start }) => lineStarts.findLastIndex((lineStart) => lineStart <= start) + 1,
  };
}

function parse(source: string, path: string): ReturnType<typeof parseSync> {
  const extension = /\.([cm]?)([jt]sx?)$/.exec(path);
  const lang = (extension?.[2] === 'js' ? 'jsx' : extension?.[2]) as ParserOptions['lang'];
  const module = parseSync(path, source, { lang, sourceType: 'module' });
  if (module.errors.length === 0 || /^tsx?$/.test(lang ?? '')) return module;
  // CommonJS may use `return` and `with` at the top.
  return parseSync(path, source, { lang, sourceType: 'commonjs' });
}
