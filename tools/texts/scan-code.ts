import { humanize } from '@pergola/orm';
import { type AstNode, argumentsOf, identifier, isNode, isObject, lineAt, nodesIn, unwrap } from '../syntax-tree.ts';

/** A text in code that is shown to people. */
export interface CodeText {
  readonly id: string;
  readonly plural?: string;
  readonly line: number;
}

/** Properties whose value is always shown to people. */
const textProperties = new Set([
  'label',
  'help',
  'irreversible',
  'title',
  'summary',
  'category',
  'section',
  'confirm',
  'placeholder',
  'subject',
]);
/** Schema checks that take a message as their last argument: `z.string().min(1, 'Say who you are.')`. */
const checks = new Set([
  'min',
  'max',
  'length',
  'regex',
  'refine',
  'gt',
  'gte',
  'lt',
  'lte',
  'multipleOf',
  'startsWith',
  'endsWith',
  'includes',
]);
/** Schema checks that take only a message: `z.number().positive('Enter a number above 0.')`. */
const plainChecks = new Set(['positive', 'negative', 'nonnegative', 'nonpositive', 'nonempty', 'int', 'safe']);
/** Schemas and checks whose only argument isn't a message: `z.literal('plain')`. */
const valued = new Set(['literal', 'describe', 'startsWith', 'endsWith', 'includes', 'mime', 'hash', 'property']);
/** Errors whose message is shown to visitors. */
export const errors: ReadonlySet<string> = new Set([
  'PergolaError',
  'FieldProblem',
  'InvalidInput',
  'NotFound',
  'NotAllowed',
  'Unauthenticated',
  'Conflict',
  'TooMany',
  'TooLarge',
  'Unavailable',
  'Malformed',
  'TooSlow',
  'WrongHost',
  'WrongMethod',
]);

/**
 * Finds the texts that TypeScript code shows to people: `t(ctx, '…')` and `t('…')`, `mark('…')`, `sentence('…')`, `plural(ctx, 'one',
 * 'other', n)`, error messages, tours, labels of fields and selections (derived from names if omitted), schema messages, and `label:`,
 * `help:`, `title:`, `summary:` and the like. A constant of the file is replaced by its text.
 *
 * Parses the code with @swc/core, which is only installed for development.
 */
export async function scanCode(source: string, file: string): Promise<CodeText[]> {
  const swc = await loadParser();
  const tsx = file.endsWith('x');
  // The empty statement marks where offsets start: swc keeps counting from file to file.
  const marked = `;${source}`;
  const syntax = /\.[cm]?tsx?$/.test(file)
    ? ({ syntax: 'typescript', tsx } as const)
    : ({ syntax: 'ecmascript', jsx: tsx } as const);
  const tree = await swc.parse(marked, { ...syntax, target: 'es2022' });
  const scanner = new Scanner(Buffer.from(marked), tree.body[0]?.span.start ?? 0);
  scanner.declare(tree.body);
  scanner.walk(tree.body, null);
  return scanner.texts.sort((a, b) => a.line - b.line);
}

async function loadParser(): Promise<typeof import('@swc/core')> {
  try {
    return await import('@swc/core');
  } catch (cause) {
    throw new Error(
      'Texts are extracted with @swc/core, which is not installed. Run "npm install" with development packages.',
      {
        cause,
      },
    );
  }
}

class Scanner {
  readonly texts: CodeText[] = [];
  readonly #source: Buffer;
  readonly #base: number;
  /** Constants of the file, for `f.selection(states)` and `new InvalidInput(message)`; several functions may use the same name. */
  readonly #constants = new Map<string, AstNode[]>();
  /** View properties that name a field: `view.kanban(Tag, { title: 'name' })`. */
  readonly #named = new Set<AstNode>();

  constructor(source: Buffer, base: number) {
    this.#source = source;
    this.#base = base;
  }

  declare(body: unknown): void {
    for (const node of nodesIn(body)) {
      const name = node.type === 'VariableDeclarator' ? identifier(node.id) : undefined;
      if (name !== undefined && isNode(node.init))
        this.#constants.set(name, [...(this.#constants.get(name) ?? []), node.init]);
    }
  }

  /** @param property name of the property that holds the visited value */
  walk(value: unknown, property: string | null): void {
    if (Array.isArray(value)) {
      for (const item of value) this.walk(item, null);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (isNode(value)) {
      if (value.type === 'CallExpression') this.#call(value, property);
      else if (value.type === 'NewExpression') this.#error(value);
      else if (value.type === 'KeyValueProperty') {
        const name = keyOf(value);
        if (name !== undefined && textProperties.has(name) && !this.#named.has(value)) this.#add(value.value);
        // Colours of a selection aren't texts, whatever their names.
        if (name === 'colors') return;
        if (name === 'unique') this.#uniqueMessages(value.value);
        this.walk(value.value, name ?? null);
        return;
      }
    }
    for (const child of Object.values(value)) this.walk(child, null);
  }

  #call(node: AstNode, property: string | null): void {
    const args = argumentsOf(node);
    const callee = isNode(node.callee) ? node.callee : undefined;
    const method = callee?.type === 'MemberExpression' ? identifier(callee.property) : undefined;
    const functionName = method ?? identifier(callee);
    if (functionName === 't' || functionName === 'mark' || functionName === 'sentence') this.#addCallTexts(args);
    else if (functionName === 'plural') this.#addPlural(literals(args[0]).length > 0 ? args : args.slice(1));
    else if (functionName === 'tour') this.#tour(args[0]);
    else if (method === 'meta') this.#choice(args[0]);
    else if (method !== undefined && checks.has(method) && args.length > 1) this.#add(args.at(-1));
    else if (method !== undefined && takesMessage(callee, method, args.length)) this.#add(args.at(-1));
    // `z.string({ error: '…' })`, `.min(1, { error: '…' })`
    if (method !== undefined && rootOf(callee) === 'z')
      for (const entry of objectOf(args.at(-1)) ?? [])
        if (['error', 'message'].includes(keyOf(entry) ?? '')) this.#add(entry.value);
    if (callee?.type === 'MemberExpression' && identifier(callee.object) === 'view')
      for (const entry of objectOf(args.at(-1)) ?? []) if (keyOf(entry) === 'title') this.#named.add(entry);
    if (method === undefined || callee?.type !== 'MemberExpression' || identifier(callee.object) !== 'f') return;
    const options = objectOf(args.at(-1));
    const labelled = options?.some((entry) => keyOf(entry) === 'label') ?? false;
    if (property !== null && !labelled && method !== 'selectionAdd') this.#addText(humanize(property), node);
    if (method === 'selection' || method === 'selectionAdd') this.#selection(args[0]);
  }

  /** Label for choosing no record in a block option: `.meta({ records: 'club.team', none: 'All teams' })`. */
  #choice(meta: unknown): void {
    for (const entry of objectOf(meta) ?? []) if (keyOf(entry) === 'none') this.#add(entry.value);
  }

  /** The name of a tour and the content of its steps, besides their titles. */
  #tour(definition: unknown): void {
    for (const entry of objectOf(definition) ?? []) {
      if (keyOf(entry) === 'name') this.#add(entry.value);
      if (keyOf(entry) !== 'steps') continue;
      for (const node of nodesIn(entry.value)) {
        if (node.type === 'KeyValueProperty' && keyOf(node) === 'content') this.#add(node.value);
      }
    }
  }

  /** Adds the text of a call; on the server the first argument is the context, which isn't a text. */
  #addCallTexts([first, second]: readonly unknown[]): void {
    this.#add(first);
    this.#add(second);
  }

  #addPlural([singularNode, pluralNode]: readonly unknown[]): void {
    const [id] = literals(singularNode);
    const [plural] = literals(pluralNode);
    if (id && plural) this.texts.push({ id: id.text, plural: plural.text, line: this.#line(id.node) });
  }

  #selection(values: unknown): void {
    const name = identifier(values);
    const resolved = valueBehind(name === undefined ? values : this.#constants.get(name)?.at(-1));
    if (resolved?.type === 'ArrayExpression' && Array.isArray(resolved.elements)) {
      for (const element of resolved.elements) {
        for (const { text, node } of literals(isObject(element) ? element.expression : undefined))
          this.#addText(humanize(text), node);
      }
    }
    for (const entry of objectOf(resolved) ?? []) this.#add(entry.value);
  }

  /** Messages for duplicate values: `unique: [{ fields, message }]`. */
  #uniqueMessages(value: unknown): void {
    const rules = valueBehind(value);
    if (rules?.type !== 'ArrayExpression' || !Array.isArray(rules.elements)) return;
    for (const rule of rules.elements) {
      const entries = isObject(rule) ? objectOf(rule.expression) : undefined;
      for (const entry of entries ?? []) if (keyOf(entry) === 'message') this.#add(entry.value);
    }
  }

  #error(node: AstNode): void {
    const name = identifier(node.callee);
    if (name === undefined || !errors.has(name)) return;
    const [message, details] = argumentsOf(node);
    this.#add(message);
    // `help ?? 'There is no such field.'`
    const fallback = valueBehind(message);
    if (fallback?.type === 'BinaryExpression' && fallback.operator === '??') this.#add(fallback.right);
    const fields = objectOf(details)?.find((entry) => keyOf(entry) === 'fields');
    for (const entry of objectOf(fields?.value) ?? []) this.#add(entry.value);
  }

  #add(value: unknown): void {
    const name = identifier(value);
    const values = name === undefined ? [value] : (this.#constants.get(name) ?? []);
    for (const { text, node } of values.flatMap(literals)) this.#addText(text, node);
  }

  #addText(id: string, node: AstNode): void {
    if (/\p{L}/u.test(id)) this.texts.push({ id, line: this.#line(node) });
  }

  #line({ span }: AstNode): number {
    return lineAt(this.#source, isObject(span) ? Number(span.start) - this.#base : 0);
  }
}

/**
 * Whether the last argument of a call can be the message of a schema: `z.email('…')`, `z.enum(kinds, '…')`, `z.iso.date('…')`,
 * `z.number().positive('…')`.
 */
function takesMessage(callee: AstNode | undefined, method: string, count: number): boolean {
  if (rootOf(callee) !== 'z' || callee === undefined) return false;
  if (unwrap(callee.object)?.type === 'CallExpression') return count === 1 && plainChecks.has(method);
  // Functions and classes, which no form sends: developers read these.
  return method !== 'custom' && (count > 1 || !valued.has(method));
}

/** The name at the start of a call chain: `z` in `z.string().min(1)`. */
function rootOf(node: unknown): string | undefined {
  const inner = unwrap(node);
  if (inner?.type === 'MemberExpression') return rootOf(inner.object);
  return inner?.type === 'CallExpression' ? rootOf(inner.callee) : identifier(inner);
}

function keyOf(property: AstNode): string | undefined {
  const { key } = property;
  return identifier(key) ?? (isNode(key) && key.type === 'StringLiteral' ? String(key.value) : undefined);
}

/** Properties of an object literal. */
function objectOf(value: unknown): AstNode[] | undefined {
  const node = valueBehind(value);
  if (node?.type !== 'ObjectExpression' || !Array.isArray(node.properties)) return undefined;
  return node.properties.filter((property: unknown) => isNode(property) && property.type === 'KeyValueProperty');
}

/** Unwraps a value, including `Object.freeze(…)`. */
function valueBehind(value: unknown): AstNode | undefined {
  const node = unwrap(value);
  const isFrozen =
    node?.type === 'CallExpression' && isNode(node.callee) && identifier(node.callee.object) === 'Object';
  return isFrozen ? valueBehind(argumentsOf(node)[0]) : node;
}

/**
 * Texts that an expression can evaluate to: one, or two for a condition; concatenated literals count as one. Empty if a part of it is
 * calculated.
 */
function literals(value: unknown): { text: string; node: AstNode }[] {
  const node = valueBehind(value);
  if (!node) return [];
  if (node.type === 'StringLiteral') return [{ text: String(node.value), node }];
  if (node.type === 'ConditionalExpression') return [...literals(node.consequent), ...literals(node.alternate)];
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [literals(node.left), literals(node.right)];
    return left[0] && right[0] ? [{ text: left[0].text + right[0].text, node: left[0].node }] : [];
  }
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || node.quasis.length !== 1) return [];
  const [only]: unknown[] = node.quasis;
  return isNode(only) ? [{ text: String(only.cooked), node }] : [];
}
