import type { Node } from 'oxc-parser';
import type { CodeFile } from './code-file.ts';
import { unwrapped } from './syntax.ts';

/** A text known before the code runs, possibly only its beginning. */
export interface KnownText {
  readonly text: string;
  /** Whether `text` is all of it. */
  readonly isWhole: boolean;
}

/** Name of the member that an expression reads: `b` of `a.b` and `a['b']`; undefined if it is computed at run time. */
export function memberKey(
  code: CodeFile,
  { property, computed }: Extract<Node, { type: 'MemberExpression' }>,
): string | undefined {
  if (computed) return constantText(code, property);
  return property.type === 'Identifier' ? property.name : '';
}

/** Maximum depth of constants that refer to others. */
const DEEPEST = 12;

/** The text of an expression, if it consists of constants: literals, templates, `+`, `join`, `atob` and the like. */
export function constantText(code: CodeFile, node: Node | null | undefined): string | undefined {
  const known = knownText(code, node);
  return known?.isWhole ? known.text : undefined;
}

/** Like `constantText`, for texts of which only the beginning is constant: `https://example.org/${path}`. */
export function knownText(code: CodeFile, node: Node | null | undefined, depth = 0): KnownText | undefined {
  if (!node || depth > DEEPEST) return undefined;
  const inner = unwrapped(node);
  const textOf = (part: Node | null | undefined): KnownText | undefined => knownText(code, part, depth + 1);
  switch (inner.type) {
    case 'Literal':
      return ['string', 'number'].includes(typeof inner.value) ? whole(String(inner.value)) : undefined;
    case 'TemplateLiteral':
      return joined(
        inner.quasis.flatMap(({ value }, index) => {
          const expression = inner.expressions[index];
          return [whole(value.cooked ?? ''), ...(expression ? [textOf(expression)] : [])];
        }),
      );
    case 'BinaryExpression':
      return inner.operator === '+' ? joined([textOf(inner.left as Node), textOf(inner.right)]) : undefined;
    case 'Identifier':
      return textOf(initialValue(code, inner));
    case 'NewExpression':
      return inner.callee.type === 'Identifier' && ['URL', 'Request', 'String'].includes(inner.callee.name)
        ? addressText(inner.arguments as Node[], inner.callee.name === 'URL', textOf)
        : undefined;
    case 'CallExpression':
      return calculated(code, inner, depth);
    default:
      return undefined;
  }
}

/** Text of `new URL(address, base)` and the like: the base, unless the address may name a host of its own. */
function addressText(
  [address, base]: readonly Node[],
  hasBase: boolean,
  textOf: (node: Node | undefined) => KnownText | undefined,
): KnownText | undefined {
  const own = textOf(address);
  if (!hasBase || !base || !own) return base && hasBase ? undefined : own;
  return /^(\.{0,2}\/(?!\/)|[\w-]+(?![\w:-]))/.test(own.text) ? textOf(base) : own;
}

/** The expression that a name which is never reassigned stands for. */
export function initialValue(code: CodeFile, identifier: Node): Node | null {
  const declaration = code.declarationOf(identifier);
  if (declaration?.type !== 'Variable' || code.assignedTo(declaration).length > 0) return null;
  const { declarations } = declaration.variableNode;
  const own = declarations.find(({ id }) => id.type === 'Identifier' && id.name === declaration.node.name);
  return own?.init ?? null;
}

/** Results of functions that hide a text: `['a', 'b'].join('')`, `atob('…')`, `Buffer.from('…', 'hex').toString()`. */
function calculated(code: CodeFile, call: Extract<Node, { type: 'CallExpression' }>, depth: number) {
  const [first, second] = call.arguments as Node[];
  const textOf = (part: Node | null | undefined): string | undefined => {
    const known = knownText(code, part, depth + 1);
    return known?.isWhole ? known.text : undefined;
  };
  const { callee } = call;
  if (callee.type === 'Identifier') {
    const text = textOf(first);
    if (text === undefined) return undefined;
    return callee.name === 'atob' ? decoded(text, 'base64') : callee.name === 'String' ? whole(text) : undefined;
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  const { name } = callee.property;
  const object = unwrapped(callee.object);
  if (name === 'fromCharCode' || name === 'fromCodePoint') {
    const numbers = (call.arguments as Node[]).map(textOf);
    return numbers.every((number) => number !== undefined)
      ? whole(String.fromCodePoint(...numbers.map(Number)))
      : undefined;
  }
  if (name === 'join' && object.type === 'ArrayExpression')
    return joinedList(object.elements.map(textOf), textOf(first));
  if (name === 'toString' && object.type === 'CallExpression') {
    const [source, encoding] = object.arguments as Node[];
    const text = textOf(source);
    const isBuffer = object.callee.type === 'MemberExpression' && memberKey(code, object.callee) === 'from';
    return isBuffer && text !== undefined ? decoded(text, textOf(encoding) ?? 'utf8') : undefined;
  }
  const text = textOf(object);
  if (text === undefined) return undefined;
  if (name === 'concat')
    return joined([whole(text), ...(call.arguments as Node[]).map((part) => knownText(code, part))]);
  if (name === 'toLowerCase') return whole(text.toLowerCase());
  if (name === 'toUpperCase') return whole(text.toUpperCase());
  if (name === 'trim') return whole(text.trim());
  const replaced = textOf(first);
  const replacement = textOf(second);
  return name === 'replace' && replaced !== undefined && replacement !== undefined
    ? whole(text.replace(replaced, replacement))
    : undefined;
}

const whole = (text: string): KnownText => ({ text, isWhole: true });

function decoded(text: string, encoding: string): KnownText | undefined {
  return Buffer.isEncoding(encoding) ? whole(Buffer.from(text, encoding).toString()) : undefined;
}

/** Parts one after another, up to the first one that isn't known; undefined if not even the first one is. */
function joined(parts: readonly (KnownText | undefined)[]): KnownText | undefined {
  let text = '';
  for (const [index, part] of parts.entries()) {
    if (!part) return index === 0 || text === '' ? undefined : { text, isWhole: false };
    text += part.text;
    if (!part.isWhole) return { text, isWhole: false };
  }
  return whole(text);
}

function joinedList(parts: readonly (string | undefined)[], separator = ','): KnownText | undefined {
  return parts.every((part) => part !== undefined) ? whole(parts.join(separator)) : undefined;
}
