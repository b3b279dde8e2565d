import { parseSync } from '@swc/core';
import {
  type AstNode,
  argumentsOf,
  identifier,
  isNode,
  isObject,
  lineAt,
  nodes,
  nodesIn,
  textOf,
  unwrap,
} from '../syntax-tree.ts';
import { unreadArguments } from './inputs.ts';
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
  for (const node of nodesIn(program)) {
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
    const callee = isCall ? identifier(node.callee) : undefined;
    if (node.type === 'CallExpression')
      for (const { node: argument, name } of unreadArguments(node, constants))
        note('unreadArguments', placeOf(argument), name);
    for (const { node: message, name, given: valueNames } of unfilledNames(node, constants, tsx))
      note('unfilledNames', message, `${name}: ${valueNames.join(' ')}`);
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

/** The external id in `ref('base.eur')` or `ctx.ref('base.eur')`; `ctx.db.ref('a.id')` is a column. */
function refIn(node: AstNode, knexes: ReadonlySet<string>): AstNode | null {
  const callee = unwrap(node.callee);
  if (node.type !== 'CallExpression' || nameOf(callee) !== 'ref' || isKnex(callee?.object, knexes)) return null;
  const [argument] = argumentsOf(node).map(unwrap);
  return argument && textOf(argument) !== null ? argument : null;
}

/** Names by which a file refers to knex: `db`, `knex`, parameters of type `Knex`, and constants derived from them. */
function knexNames(program: unknown): ReadonlySet<string> {
  const names = new Set(['db', 'knex']);
  for (const node of nodesIn(program)) {
    const renamed =
      node.type === 'KeyValuePatternProperty' && names.has(identifier(node.key) ?? '') ? node.value : null;
    const variable = node.type === 'VariableDeclarator' && isKnex(node.init, names) ? node.id : null;
    const annotated = isObject(node.typeAnnotation) && isNode(node.typeAnnotation.typeAnnotation) ? node : null;
    const isTyped = annotated && [...nodesIn(node.typeAnnotation)].some((inner) => identifier(inner) === 'Knex');
    for (const name of [renamed, variable, isTyped ? annotated : null].map(identifier))
      if (name !== undefined) names.add(name);
  }
  return names;
}

function isKnex(value: unknown, names: ReadonlySet<string>): boolean {
  const node = unwrap(value);
  if (node?.type === 'CallExpression') return isKnex(node.callee, names);
  if (node?.type === 'MemberExpression') return names.has(nameOf(node)) || isKnex(node.object, names);
  return names.has(identifier(node) ?? '');
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

/**
 * Calls of `count` in a method that throws, and other searches in a `validate` that throws, unless they run under an `invariant` or the
 * method takes a lock itself. Throwing NotFound alone doesn't count.
 */
function unlockedCounts(method: AstNode): AstNode[] {
  if (method.type !== 'ClassMethod' && method.type !== 'PrivateMethod') return [];
  const inside = [...nodesIn(method.function)];
  const callsOf = (name: RegExp) =>
    inside.filter((node) => node.type === 'CallExpression' && name.test(nameOf(unwrap(node.callee))));
  const refuses = inside.some(
    ({ type, argument }) =>
      type === 'ThrowStatement' && !(isNode(argument) && identifier(argument.callee) === 'NotFound'),
  );
  if (!refuses || callsOf(/lock/i).length > 0) return [];
  const underLock = new Set(callsOf(/^invariant$/).flatMap((call) => [...nodesIn(call)]));
  const isValidation = identifier(method.key) === 'validate';
  const counting = isValidation
    ? [...callsOf(/^count$/), ...callsOf(/^(search|find|first|group)$/).filter(looksForOthers)]
    : callsOf(/^count$/);
  return counting.filter((call) => !underLock.has(call));
}

/** Whether a call searches records by anything but their ids. */
function looksForOthers(call: AstNode): boolean {
  const domain = unwrap(argumentsOf(call)[0]);
  if (domain?.type !== 'ArrayExpression') return false;
  const conditions = argumentsOf({ type: '', arguments: domain.elements ?? [] }).map(unwrap);
  // An empty domain reads all records of a model in order to lock them.
  if (conditions.length === 0) return false;
  return !conditions.some((condition) => {
    const [field, operator] = argumentsOf({ type: '', arguments: condition?.elements ?? [] }).map(unwrap);
    return textOf(field) === 'id' && ['=', 'in'].includes(textOf(operator) ?? '');
  });
}

/** Links whose click handler prevents navigation, directly or through a function of the file, and that lack `data-in-place`. */
function lateLinks(program: unknown): AstNode[] {
  const all = [...nodesIn(program)];
  const functions = new Map<string, unknown>();
  for (const { type, identifier: name, id, body, init } of all) {
    if (type === 'FunctionDeclaration') functions.set(identifier(name) ?? '', body);
    if (type === 'VariableDeclarator') functions.set(identifier(id) ?? '', init);
  }
  const prevents = (code: unknown, seen: ReadonlySet<string> = new Set()): boolean =>
    [...nodesIn(code)].some((node) => {
      const name = identifier(node) ?? '';
      if (name === 'preventDefault') return true;
      return functions.has(name) && !seen.has(name) && prevents(functions.get(name), new Set([...seen, name]));
    });
  return all.filter((node) => {
    if (node.type !== 'JSXOpeningElement' || identifier(node.name) !== 'a') return false;
    const attributes = new Map(nodes(node.attributes).map(({ name, value }) => [identifier(name), value]));
    // These links wait for their script anyway, see packages/browser/early.ts.
    const isSilent = textOf(attributes.get('role')) === 'button' || textOf(attributes.get('href')) === '#';
    const isKept = isSilent || attributes.has('data-in-place');
    return attributes.has('href') && !isKept && prevents(attributes.get('onClick'));
  });
}

/** Visible texts of an element, except code, keyboard keys and elements with `translate="no"`. */
function jsxTexts(element: AstNode): AstNode[] {
  if (element.type === 'JSXElement' && isNode(element.opening)) {
    const { name, attributes } = element.opening;
    const isFixed = nodes(attributes).some((attribute) => identifier(attribute.name) === 'translate');
    if (isFixed || ['kbd', 'code', 'pre', 'samp'].includes(identifier(name) ?? '')) return [];
  } else if (element.type !== 'JSXFragment') return [];
  return nodes(element.children).filter(({ type, value }) => type === 'JSXText' && /\p{Ll}{2}/u.test(String(value)));
}

/**
 * Fields that methods of stored computed fields read from their records (`this.read(ids, { select: { … } })`) but the fields' `depends`
 * omits: the column would keep its old value when they change.
 */
function missingDepends(node: AstNode): { readonly node: AstNode; readonly text: string }[] {
  if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return [];
  const call = unwrap(node.superClass);
  if (call?.type !== 'CallExpression' || identifier(call.callee) !== 'model') return [];
  const fields = unwrap(argumentsOf(call)[1]);
  const methods = new Map(nodes(node.body).map((member) => [identifier(member.key) ?? '', member]));
  return nodes(fields?.properties).flatMap((field) => {
    const declaration = unwrap(field.value);
    const options = declaration && unwrap(argumentsOf(declaration).at(-1));
    const option = (name: string) =>
      unwrap(nodes(options?.properties).find((property) => identifier(property.key) === name)?.value);
    const method = methods.get(textOf(option('compute')) ?? '');
    const isStored = option('store')?.value === true;
    const list = option('depends');
    if (!method || !isStored || (list !== undefined && list.type !== 'ArrayExpression')) return [];
    const depends = argumentsOf({ type: '', arguments: list?.elements ?? [] }).map(textOf);
    if (depends.includes(null)) return [];
    return [...nodesIn(method.function)].flatMap((inner) =>
      readPaths(inner)
        .filter((path) => !depends.some((dependency) => dependency === path || dependency?.startsWith(`${path}.`)))
        .map((path) => ({ node: isNode(field.key) ? field.key : field, text: `${identifier(field.key)}: ${path}` })),
    );
  });
}

/** Paths that a call of `this.read` selects: `days`, `tool_id.price`. */
function readPaths(call: AstNode): string[] {
  const callee = unwrap(call.callee);
  if (call.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || nameOf(callee) !== 'read') return [];
  if (unwrap(callee.object)?.type !== 'ThisExpression') return [];
  const options = unwrap(argumentsOf(call)[1]);
  return pathsIn(nodes(options?.properties).find((property) => identifier(property.key) === 'select')?.value);
}

function pathsIn(select: unknown): string[] {
  return nodes(unwrap(select)?.properties).flatMap((property) => {
    const name = identifier(property.key);
    if (name === undefined || property.type !== 'KeyValueProperty') return [];
    const value = unwrap(property.value);
    return value?.type === 'ObjectExpression' ? pathsIn(value).map((path) => `${name}.${path}`) : [name];
  });
}

/** Date methods whose result depends on the machine's time zone or language. */
const ZONED = /^(get(Day|Date|Month|FullYear|Hours|Minutes)|toLocale(Date|Time)String|to(Date|Time)String)$/;
/** Globals that exist only in browsers. */
const BROWSER_ONLY = new Set([
  'window',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'screen',
]);

/** Unstable values that components read while rendering. Nested functions, such as handlers and effects, run later and don't count. */
function unstableRenders(program: unknown): { readonly node: AstNode; readonly text: string }[] {
  return [...nodesIn(program)].flatMap((node) =>
    [...ownNodes(bodyOfComponent(node))].flatMap((inner) => {
      const text = unstableValue(inner);
      return text === null ? [] : [{ node: inner, text }];
    }),
  );
}

/** The body of a component: a capitalised function, also as a constant or default export. */
function bodyOfComponent(node: AstNode): unknown {
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression')
    return /^[A-Z]/.test(identifier(node.identifier) ?? '') ? node.body : null;
  const isNamed = node.type === 'VariableDeclarator' && /^[A-Z]/.test(identifier(node.id) ?? '');
  const value = isNamed ? unwrap(node.init) : node.type === 'ExportDefaultExpression' ? unwrap(node.expression) : null;
  // `memo(…)` and the like.
  const functions = value?.type === 'CallExpression' ? argumentsOf(value).map(unwrap) : [value];
  return functions.flatMap((fn) => (fn?.type === 'ArrowFunctionExpression' ? [fn.body] : []));
}

/**
 * Nodes of a function's body without nested functions. The first argument of `useState` and `useMemo` runs during rendering, so it is
 * included.
 */
function* ownNodes(value: unknown): Generator<AstNode> {
  if (Array.isArray(value)) {
    for (const item of value) yield* ownNodes(item);
    return;
  }
  if (!isObject(value)) return;
  if (isNode(value)) {
    if (/Function(Declaration|Expression)$/.test(value.type) || value.type.startsWith('TsType')) return;
    yield value;
    // Content of a portal is rendered only after something opened it.
    if (value.type === 'CallExpression' && nameOf(unwrap(value.callee)) === 'createPortal')
      return yield* ownNodes(argumentsOf(value)[0]);
    if (value.type === 'CallExpression' && /^use(State|Memo)$/.test(nameOf(unwrap(value.callee)))) {
      const [first] = argumentsOf(value).map(unwrap);
      if (first?.type === 'ArrowFunctionExpression') yield* ownNodes(first.body);
    }
  }
  for (const child of Object.values(value)) yield* ownNodes(child);
}

function unstableValue(node: AstNode): string | null {
  if (node.type === 'NewExpression')
    return identifier(node.callee) === 'Date' && argumentsOf(node).length === 0 ? 'new Date()' : null;
  if (node.type === 'UnaryExpression' && node.operator === 'typeof') {
    const globalName = identifier(unwrap(node.argument)) ?? '';
    return BROWSER_ONLY.has(globalName) ? `typeof ${globalName}` : null;
  }
  if (node.type === 'CallExpression') {
    const method = nameOf(unwrap(node.callee));
    return ZONED.test(method) ? `${method}()` : null;
  }
  if (node.type !== 'MemberExpression') return null;
  const object = identifier(unwrap(node.object)) ?? '';
  const name = `${object}.${nameOf(node)}`;
  if (['Date.now', 'Math.random', 'crypto.randomUUID'].includes(name)) return `${name}()`;
  return BROWSER_ONLY.has(object) ? name : null;
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

function nameOf(node: AstNode | undefined): string {
  if (!node) return '';
  if (node.type === 'Identifier') return String(node.value);
  if (node.type === 'OptionalChainingExpression') return nameOf(unwrap(node.base));
  if (node.type !== 'MemberExpression' || !isNode(node.property)) return '';
  const property = node.property.type === 'Computed' ? node.property.expression : node.property;
  return isNode(property) ? String(property.value ?? '') : '';
}

/** Distinguishes knex's methods from our own by their arguments: knex takes column names only, ours take the table name first. */
function destructiveCall(node: AstNode): string | null {
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type === 'Identifier') return null;
  const method = nameOf(node.callee);
  const count = argumentsOf(node).length;
  const isKnex =
    method === 'dropColumns' || (method === 'dropColumn' && count === 1) || (method === 'alter' && count < 2);
  return isKnex ? method : null;
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
