import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository, resolveAlias } from '@pergola/core';
import { parseSync } from '@swc/core';
import { type AstNode, identifier, isNode, isObject, nodes, nodesIn, spanOf, textOf } from '../syntax-tree.ts';

/** A declaration with the name under which a face exports it. */
interface Declared {
  readonly name: string;
  readonly source: Source;
  readonly node: AstNode;
}

/** Declarations, imports and re-exports of a file. */
interface Source {
  readonly file: string;
  readonly bytes: Buffer;
  readonly declared: ReadonlyMap<string, readonly AstNode[]>;
  /** Origin by local name, or by exported name for re-exports. */
  readonly from: ReadonlyMap<string, { readonly name: string; readonly specifier: string }>;
  /** Local names by exported name. */
  readonly exported: ReadonlyMap<string, string>;
  /** `export * from` */
  readonly all: readonly string[];
  /** Interfaces in `declare module '…'`. */
  readonly merged: readonly Merge[];
}

interface Merge {
  readonly node: AstNode;
  /** The file that declares the interface. */
  readonly into: string;
}

/**
 * Describes the public face of a file as text: every exported name with its declaration as written, without comments (except `@deprecated`)
 * and function bodies, followed by the types they use that no face exports. Sorted, so the text changes only when the face changes.
 *
 * @param merging files whose `declare module` extends interfaces of the face
 */
export function reportFace(file: string, merging: readonly string[] = []): string {
  const sources = new Map<string, Source>();
  const readFile = (path: string): Source => {
    const cached = sources.get(path);
    if (cached) return cached;
    const source = readSource(path);
    sources.set(path, source);
    return source;
  };
  const exportsByName = new Map(namesOf(file, readFile).map((name) => [name, find(file, name, readFile)]));
  const merged = merging.flatMap((path) =>
    readFile(path).merged.map((merge) => ({ ...merge, source: readFile(path) })),
  );
  const printedNodes = new Set<AstNode>();
  const parts: string[] = [];
  const used: Declared[] = [];
  for (const [name, declarations] of [...exportsByName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (typeof declarations === 'string') parts.push(`${name}: from ${declarations}`);
    else
      for (const declaration of [...declarations, ...mergedInto(declarations, merged)]) {
        if (printedNodes.has(declaration.node)) parts.push(`${name} = ${declaration.name}`);
        else parts.push(`${name === declaration.name ? '' : `// as ${name}\n`}${textOfDeclaration(declaration)}`);
        printedNodes.add(declaration.node);
        used.push(...typesIn(declaration, readFile));
      }
  }
  const supportingTypes: string[] = [];
  for (const declaration of used) {
    if (printedNodes.has(declaration.node)) continue;
    printedNodes.add(declaration.node);
    supportingTypes.push(textOfDeclaration(declaration));
    used.push(...typesIn(declaration, readFile));
  }
  return [...parts, ...(supportingTypes.length > 0 ? ['// Written with', ...supportingTypes.sort()] : [])]
    .join('\n\n')
    .concat('\n');
}

/** Interface members added by other files. */
function mergedInto(
  declarations: readonly Declared[],
  merged: readonly (Merge & Pick<Declared, 'source'>)[],
): Declared[] {
  return declarations.flatMap(({ name, source }) =>
    merged
      .filter(({ into, node }) => into === source.file && identifier(node.id) === name)
      .map((merge) => ({ ...merge, name })),
  );
}

function readSource(file: string): Source {
  const bytes = readFileSync(file);
  const program: unknown = parseSync(bytes.toString(), {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
    target: 'es2024',
  });
  const declared = new Map<string, AstNode[]>();
  const from = new Map<string, { name: string; specifier: string }>();
  const exported = new Map<string, string>();
  const all: string[] = [];
  const merged: Merge[] = [];
  const declare = (node: AstNode, isExported: boolean): void => {
    const names =
      node.type === 'VariableDeclaration'
        ? nodes(node.declarations).flatMap(({ id }) => identifier(id) ?? [])
        : [identifier(node.identifier) ?? identifier(node.id) ?? ''];
    for (const name of names.filter(Boolean)) {
      declared.set(name, [...(declared.get(name) ?? []), node]);
      if (isExported) exported.set(name, name);
    }
  };
  for (const node of nodes(isNode(program) ? program.body : [])) {
    const specifier = textOf(node.source);
    if (node.type === 'ExportAllDeclaration' && specifier) all.push(specifier);
    else if (node.type === 'ImportDeclaration' && specifier)
      for (const importSpecifier of nodes(node.specifiers))
        from.set(identifier(importSpecifier.local) ?? '', {
          name: identifier(importSpecifier.imported) ?? identifier(importSpecifier.local) ?? '',
          specifier,
        });
    else if (node.type === 'ExportNamedDeclaration')
      for (const exportSpecifier of nodes(node.specifiers)) {
        const orig = identifier(exportSpecifier.orig) ?? '';
        const name = identifier(exportSpecifier.exported) ?? orig;
        exported.set(name, specifier ? name : orig);
        if (specifier) from.set(name, { name: orig, specifier });
      }
    else if (node.type === 'TsModuleDeclaration' && textOf(node.id) && isNode(node.body))
      for (const inner of nodes(node.body.body))
        merged.push({ node: inner, into: fileOf(textOf(node.id) ?? '', file) ?? '' });
    else if (node.type === 'ExportDeclaration' && isNode(node.declaration)) declare(node.declaration, true);
    else if (/Declaration$/.test(node.type)) declare(node, false);
  }
  return { file, bytes, declared, from, exported, all, merged };
}

type Read = (file: string) => Source;

function namesOf(file: string, read: Read): string[] {
  const source = read(file);
  const more = source.all.flatMap((specifier) => {
    const next = fileOf(specifier, file);
    return next === null ? [`* from ${specifier}`] : namesOf(next, read);
  });
  return [...new Set([...source.exported.keys(), ...more])];
}

/** Finds the declarations of a name that a file exports or uses, or the specifier of the package it comes from. */
function find(file: string, name: string, read: Read): readonly Declared[] | string {
  const source = read(file);
  const local = source.exported.get(name) ?? name;
  const declared = source.declared.get(local);
  if (declared) return declared.map((node) => ({ name: local, source, node }));
  const from = source.from.get(local);
  if (from) {
    const next = fileOf(from.specifier, file);
    return next === null ? from.specifier : find(next, from.name, read);
  }
  for (const specifier of source.all) {
    const next = fileOf(specifier, file);
    const declarations = next === null ? [] : find(next, name, read);
    if (declarations.length > 0) return declarations;
  }
  return [];
}

function fileOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier);
  if (specifier.startsWith('@pergola/')) return fileURLToPath(import.meta.resolve(specifier));
  return resolveAlias(specifier, [join(repository, 'addons')]);
}

/** Types of the same part or addon that a declaration uses. */
function typesIn({ node, source }: Declared, read: Read): Declared[] {
  const home = partOf(source.file);
  const names = new Set<string>();
  for (const child of nodesIn(node)) {
    const name =
      child.type === 'TsTypeReference'
        ? identifier(child.typeName)
        : child.type === 'TsExpressionWithTypeArguments'
          ? identifier(child.expression)
          : undefined;
    if (name) names.add(name);
  }
  return [...names].flatMap((name) => {
    const declarations = find(source.file, name, read);
    return typeof declarations === 'string'
      ? []
      : declarations.filter(
          (declaration) => partOf(declaration.source.file) === home && /^Ts/.test(declaration.node.type),
        );
  });
}

/** `packages/http`, `addons/forum`, `tools/testing` */
function partOf(file: string): string {
  return relative(repository, file).split('/').slice(0, 2).join('/');
}

/** A declaration as written, without comments and function bodies. */
function textOfDeclaration({ node, source: { bytes } }: Declared): string {
  const [start, end] = spanOf(node);
  const cuts: [number, number, string][] = [];
  cutBodies(node, cuts);
  let text = '';
  let offset = start;
  for (const [from, to, instead] of cuts.sort(([a], [b]) => a - b)) {
    if (from < offset) continue;
    text += bytes.subarray(offset, from).toString() + instead;
    offset = to;
  }
  text += bytes.subarray(offset, end).toString();
  const doc = /\/\*\*(?:(?!\*\/)[\s\S])*@deprecated(?:(?!\*\/)[\s\S])*\*\/\s*(?:export\s+)?(?:declare\s+)?$/.exec(
    bytes.subarray(0, start).toString(),
  )?.[0];
  const note = /@deprecated[^\n*]*/.exec(doc ?? '')?.[0];
  return `${note ? `/** ${note.trim()} */\n` : ''}${withoutComments(text)}`;
}

function cutBodies(value: unknown, cuts: [number, number, string][]): void {
  if (isNode(value) && isOwn(value)) cuts.push([...spanOf(value), '']);
  else if (isObject(value)) {
    const { body, type } = value;
    if (isNode(body) && (body.type === 'FunctionBody' || type === 'ArrowFunctionExpression'))
      cuts.push([...spanOf(body), '…']);
    for (const child of Object.values(value)) cutBodies(child, cuts);
  }
}

/** Whether a class member is private. */
function isOwn({ type, accessibility, key }: AstNode): boolean {
  return /^Private(Method|Property)$/.test(type) || (accessibility === 'private' && isNode(key));
}

function withoutComments(text: string): string {
  return text
    .replace(/[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*?\*\/[ \t]*\n?/g, (all) => {
      const note = /@deprecated[^\n*]*/.exec(all)?.[0];
      return note ? `/** ${note.trim()} */\n` : '';
    })
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/\n\s*\n/g, '\n')
    .trim();
}
