import { parseSync } from '@swc/core';
import {
  type AstNode,
  argumentsOf,
  identifier,
  isNode,
  isObject,
  lineAt,
  nameOf,
  nodes,
  nodesIn,
  textOf,
  unwrap,
} from '../syntax-tree.ts';
import { jsxTexts, kitElements, lateLinks, unstableRenders } from './components.ts';
import { unreadArguments } from './inputs.ts';
import { destructiveCall, knexNames, refIn } from './knex.ts';
import { missingDepends, unlockedCounts } from './model-methods.ts';
import { unfilledNames } from './placeholders.ts';

/** A place in a source file with the text to report. */
export interface SourcePlace {
  readonly line: number;
  readonly text: string;
}

export interface Import {
  readonly line: number;
  readonly specifier: string;
  /**
   * Whether the import disappears at run time. `import { type A }` doesn't count: the file is still loaded, only `import type` is erased
   * completely.
   */
  readonly typeOnly: boolean;
}

/** Kinds of places that rules look for. */
const places = [
  // module-level `let` and `var`, and constants that start empty, which only makes sense if they are filled later
  'mutable',
  // comparisons with `===` and the like of a value named like a secret
  'secrets',
  // calls of knex's `.alter()`, `.dropColumn()`, `.dropColumns()`
  'destructive',
  // uses of Handlebars' `SafeString`
  'safeStrings',
  // functions defined where they are assigned to a property, and objects created with another object as prototype
  'lasting',
  // texts where a French punctuation mark could wrap to a new line
  'looseSigns',
  // counts in methods that throw but take no lock
  'unlockedCounts',
  // `toLowerCase()` on a value named like an email address
  'loweredAddresses',
  // arguments of routes and methods that their functions never read
  'unreadArguments',
  // placeholders in texts without a matching value, with the values that exist: `most: max`
  'unfilledNames',
  // JSX links with a click handler that replaces navigation, without `data-in-place`
  'lateLinks',
  // values read during rendering that differ between server and browser: clock, random numbers, window, storage
  'unstableRenders',
  // texts between JSX tags
  'jsxTexts',
  // JSX elements that the UI kit renders: labels, images, dialogs
  'kitElements',
  // fields that a stored computed field reads but doesn't depend on: `amount: tool_id.price`
  'missingDepends',
  // calls of `fetch`, and `new EventSource`
  'fetches',
  // addons whose texts are loaded by name: `texts('forum')`
  'textDomains',
  // error codes: `code: 'forum.no_post'`, and those derived from the names of error classes
  'errorCodes',
  // texts that look like an error code, such as a constant used as a code elsewhere
  'names',
  // external ids in `ref('…')` and `ctx.ref('…')`
  'refs',
] as const;
type Place = (typeof places)[number];

/** Facts about a file that rules check. */
export interface Facts extends Readonly<Record<Place, readonly SourcePlace[]>> {
  readonly imports: readonly Import[];
  /** property names and texts, except those in `refs`; for template literals, the fixed parts joined by `*` */
  readonly words: ReadonlySet<string>;
  /** Whether it declares models, extensions or mixins. */
  readonly hasModels: boolean;
  /** `name` and `depends` of the manifest, if this file is one */
  readonly manifest: Manifest | null;
}

interface Manifest {
  readonly line: number;
  /** null if it isn't a list of string literals */
  readonly depends: readonly string[] | null;
}

/**
 * Extracts the facts from a source text.
 *
 * @throws Error if the text isn't valid TypeScript
 */
export function readFacts(source: string, tsx: boolean): Facts {
  const program: unknown = parseSync(source, { syntax: 'typescript', tsx, target: 'es2024' });
  const bytes = Buffer.from(source);
  // swc counts bytes from 1.
  const lineOf = ({ span }: AstNode): number => lineAt(bytes, isObject(span) ? Number(span.start) - 1 : 0);
  const facts = Object.fromEntries(places.map((name) => [name, [] as SourcePlace[]])) as Record<Place, SourcePlace[]>;
  const imports: Import[] = [];
  const words = new Set<string>();
  const note = (place: Place, node: AstNode, text: string): void =>
    void facts[place].push({ line: lineOf(node), text });
  let manifest: Manifest | null = null;
  let hasModels = false;
  const refTexts = new Set<unknown>();
  const knexes = knexNames(program);
  for (const link of lateLinks(program)) note('lateLinks', link, 'a');
  for (const { node, text } of unstableRenders(program)) note('unstableRenders', node, text);
  const statements = nodes(isNode(program) ? program.body : []);
  for (const { node, text } of statements.flatMap(mutableNames)) note('mutable', node, text);
  const constants = constantsOf(statements);
  const namedTexts = new Map([...localConstants(program), ...constants]);
  for (const node of nodesIn(program)) {
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
    const callee = isCall ? identifier(node.callee) : undefined;
    if (node.type === 'CallExpression')
      for (const { node: argument, name } of unreadArguments(node, constants))
        note('unreadArguments', placeOf(argument), name);
    for (const { node: message, name, given: valueNames } of unfilledNames(node, namedTexts, tsx))
      note('unfilledNames', message, `${name}: ${valueNames.join(' ')}`);
    for (const { node: element, text } of kitElements(node)) note('kitElements', element, text);
    for (const text of jsxTexts(node)) note('jsxTexts', text, String(text.value).trim());
    for (const { node: fieldRead, text } of missingDepends(node)) note('missingDepends', fieldRead, text);
    for (const call of unlockedCounts(node)) note('unlockedCounts', call, 'count');
    const ref = refIn(node, knexes);
    if (ref) {
      refTexts.add(ref);
      note('refs', ref, textOf(ref) ?? '');
    }
    const word = refTexts.has(node) ? null : wordIn(node);
    if (word !== null) words.add(word);
    const imported = importOf(node);
    if (imported !== null) imports.push({ line: lineOf(node), ...imported });
    if (node.type === 'Identifier' && node.value === 'SafeString') note('safeStrings', node, 'SafeString');
    const visibleText = node.type === 'TemplateElement' ? String(node.cooked) : textOf(node);
    if (visibleText !== null && LOOSE_SIGN.test(visibleText)) note('looseSigns', node, visibleText);
    const code = errorCodeOf(node);
    // swc gives properties no span.
    if (code !== null) note('errorCodes', isNode(node.value) ? node.value : node, code);
    const name = code ?? textOf(node);
    if (name !== null && CODE.test(name)) note('names', node, name);
    if (isCall && ['model', 'extend', 'mixin'].includes(callee ?? '')) hasModels = true;
    if (callee === 'fetch' || callee === 'EventSource') note('fetches', node, callee);
    const [domain] = callee === 'texts' ? argumentsOf(node) : [];
    if (isNode(domain) && domain.type === 'StringLiteral') note('textDomains', node, String(domain.value));
    for (const [place, text] of [
      ['secrets', secretOf(node)],
      ['destructive', destructiveCall(node)],
      ['loweredAddresses', loweredAddress(node)],
      ['lasting', lastingOf(node)],
    ] as const)
      if (text !== null) note(place, node, text);
    if (isNode(node.callee) && node.callee.value === 'defineAddon')
      manifest = { line: lineOf(node), depends: dependsOf(node) };
  }
  return { ...facts, imports, words, hasModels, manifest };
}

/** The name of a property or a string literal; for a template literal, its fixed parts joined by `*`. */
function wordIn(node: AstNode): string | null {
  if (node.type === 'TemplateLiteral')
    return nodes(node.quasis)
      .map(({ cooked }) => String(cooked))
      .join('*');
  // Records created with Object.fromEntries have calculated names.
  if (node.type === 'MemberExpression') return nameOf(node) === 'fromEntries' ? 'fromEntries' : null;
  return node.type === 'KeyValueProperty' ? (identifier(node.key) ?? textOf(node.key)) : textOf(node);
}

const ADDRESS = /e_?mail|login|holder|recipient|sender|subscriber/i;

/** Name of an email address on which `toLowerCase` is called, or null. */
function loweredAddress(node: AstNode): string | null {
  if (node.type !== 'CallExpression') return null;
  let callee = unwrap(node.callee);
  if (callee?.type === 'OptionalChainingExpression') callee = unwrap(callee.base);
  if (!callee || !/^to(Locale)?LowerCase$/.test(nameOf(callee)) || !isNode(callee.object)) return null;
  // The address itself, or the result of another method on it: `email.trim().toLowerCase()`.
  const name = [...nodesIn(callee.object)].map(nameOf).find((part) => ADDRESS.test(part));
  return name ?? null;
}

/** Initial values of constants within functions, unless several have the same name. */
function localConstants(program: unknown): ReadonlyMap<string, AstNode> {
  const byName = Map.groupBy(
    [...nodesIn(program)].filter(({ type }) => type === 'VariableDeclarator'),
    ({ id }) => identifier(id) ?? '',
  );
  return new Map(
    [...byName].flatMap(([name, declarators]) => {
      const value = declarators.length === 1 ? unwrap(declarators[0]?.init) : undefined;
      return value ? [[name, value] as const] : [];
    }),
  );
}

/** Initial values of the module's constants by name. */
function constantsOf(statements: unknown): ReadonlyMap<string, AstNode> {
  const declarations = nodes(statements).flatMap((statement) => {
    const inner = isNode(statement.declaration) ? statement.declaration : statement;
    return inner.type === 'VariableDeclaration' ? nodes(inner.declarations) : [];
  });
  return new Map(
    declarations.flatMap(({ id, init }) => {
      const [name, value] = [identifier(id), unwrap(init)];
      return name && value ? [[name, value] as const] : [];
    }),
  );
}

/** swc gives properties no span. */
function placeOf(node: AstNode): AstNode {
  return isNode(node.key) ? node.key : node;
}

/** A French « », ?, !, ; or : next to a plain space; only a no-break space keeps it with its word. */
export const LOOSE_SIGN = /\S [?!;:»](?![)\w])|« /;

/** `addon.thing` */
const CODE = /^[a-z][a-z0-9_]*\.[a-z0-9_]+$/;

/** An error code set in an object literal, or derived from the name of an error class. */
function errorCodeOf(node: AstNode): string | null {
  if (node.type === 'KeyValueProperty' && identifier(node.key) === 'code') {
    const text = textOf(node.value);
    return text !== null && CODE.test(text) ? text : null;
  }
  if (isNode(node.callee) && node.callee.type === 'Super')
    return (
      argumentsOf(node)
        .map(textOf)
        .find((text) => text !== null && CODE.test(text)) ?? null
    );
  if (node.type !== 'ClassDeclaration') return null;
  const [name, base] = [identifier(node.identifier), identifier(node.superClass)];
  const isError = name === 'PergolaError' || (base === 'PergolaError' && !isGivenCode(node));
  return name !== undefined && isError ? `core.${name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()}` : null;
}

/** Whether a class gives all its errors the same code. */
function isGivenCode(node: AstNode): boolean {
  return nodesIn(node.body).some((child) => child !== node && errorCodeOf(child) !== null);
}

function importOf(node: AstNode): { specifier: string; typeOnly: boolean } | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration': {
      const specifier = textOf(node.source);
      return specifier === null ? null : { specifier, typeOnly: node.typeOnly === true };
    }
    case 'CallExpression': {
      if (!isNode(node.callee) || node.callee.type !== 'Import') return null;
      const specifier = textOf(argumentsOf(node)[0]);
      return specifier === null ? null : { specifier, typeOnly: false };
    }
    case 'TsImportType': {
      const specifier = textOf(node.argument);
      return specifier === null ? null : { specifier, typeOnly: true };
    }
    default:
      return null;
  }
}

/** Variables of a module statement that can change or are meant to be filled. */
function mutableNames(statement: AstNode): { node: AstNode; text: string }[] {
  const inner = isNode(statement.declaration) ? statement.declaration : statement;
  if (inner.type === 'VariableDeclaration') {
    if (inner.declare === true) return [];
    const kind = String(inner.kind);
    return nodes(inner.declarations).flatMap((declarator) => {
      const name = isNode(declarator.id) && typeof declarator.id.value === 'string' ? declarator.id.value : 'a pattern';
      if (kind !== 'const') return [{ node: declarator, text: `"${kind} ${name}" can change` }];
      return startsEmpty(declarator.init)
        ? [{ node: declarator, text: `"${name}" starts empty, so it is meant to be filled` }]
        : [];
    });
  }
  if (inner.type !== 'ClassDeclaration') return [];
  return nodes(inner.body)
    .filter((member) => member.type === 'ClassProperty' && member.isStatic === true && startsEmpty(member.value))
    .map((node) => ({
      node,
      text: `"static ${isNode(node.key) ? node.key.value : ''}" starts empty, so it is meant to be filled`,
    }));
}

/** Excludes WeakMap: its entries belong to their keys, which two applications don't share. */
function startsEmpty(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === 'TsAsExpression' || value.type === 'TsSatisfiesExpression') return startsEmpty(value.expression);
  if (value.type === 'ArrayExpression') return Array.isArray(value.elements) && value.elements.length === 0;
  if (value.type === 'ObjectExpression') return nodes(value.properties).length === 0;
  if (value.type !== 'NewExpression' || !isNode(value.callee)) return false;
  const empty = !Array.isArray(value.arguments) || value.arguments.length === 0;
  return empty && (value.callee.value === 'Map' || value.callee.value === 'Set');
}

const secretName = /(^|[a-z_$#])(token|secret|signature|hmac|digest|csrf)$/i;

/** Comparing with a constant reveals nothing about a secret; comparing two values stops at the first character that differs. */
function secretOf(node: AstNode): string | null {
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(String(node.operator))) return null;
  const sides = [node.left, node.right].map(unwrap);
  if (sides.some(isConstant)) return null;
  return sides.map(nameOf).find((name) => secretName.test(name)) ?? null;
}

function isConstant(node: AstNode | undefined): boolean {
  if (!node) return false;
  if (node.type === 'UnaryExpression') return true;
  if (node.type === 'Identifier') return node.value === 'undefined';
  if (node.type === 'TemplateLiteral') return nodes(node.expressions).length === 0;
  return /Literal$/.test(node.type);
}

/**
 * Objects that V8 allocates in its old space, which is rarely collected: `this.x = () => …`, and the hidden class of
 * `Object.create(request)`.
 */
function lastingOf(node: AstNode): string | null {
  if (node.type === 'AssignmentExpression') {
    const toProperty = isNode(node.left) && node.left.type === 'MemberExpression';
    const isFunction = isNode(node.right) && /^(Arrow)?FunctionExpression$/.test(node.right.type);
    return toProperty && isFunction ? 'A function defined in an assignment to a property' : null;
  }
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression') return null;
  const isCreate = identifier(node.callee.object) === 'Object' && nameOf(node.callee) === 'create';
  const [prototype] = argumentsOf(node);
  const isNothing = isNode(prototype) && prototype.type === 'NullLiteral';
  return isCreate && !isNothing ? 'An object used as a prototype' : null;
}

function dependsOf(call: AstNode): readonly string[] | null {
  const [first] = argumentsOf(call);
  const properties = isNode(first) ? nodes(first.properties) : [];
  const depends = properties.find((property) => isNode(property.key) && property.key.value === 'depends');
  if (depends === undefined) return [];
  if (!isNode(depends.value) || !Array.isArray(depends.value.elements)) return null;
  const names = depends.value.elements.map((element) => textOf(element?.expression));
  return names.every((name) => name !== null) ? names : null;
}
