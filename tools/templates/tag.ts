import { type Mustache, maskMustaches } from '@pergola/pages';

/** A part of an opening tag after its name, or of a block's branch in it. */
type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'space' }
  | { readonly type: 'block'; readonly branches: { readonly head: string; parts: Part[] }[]; closeTag: string };

/** An opening tag; `glued` pieces have no space between them. */
export interface OpenTag {
  /** `<input` */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** `>` or `/>` */
  readonly end: string;
}
export type Attribute =
  | string
  | { readonly branches: readonly { head: string; attributes: Attribute[] }[]; closeTag: string };

/** Parses an opening tag. */
export function readTag(source: string): OpenTag {
  const { mustaches } = maskMustaches(source);
  const end = /[\s"'}]\/>$/.test(source) ? '/>' : '>';
  const nameMustache = mustaches.find(({ start }) => start < 2);
  const nameEnd = nameMustache ? nameMustache.end : (/^<[^\s>{/]*/.exec(source)?.[0].length ?? 1);
  const parts = partsOf(source, mustaches, nameEnd, source.length - end.length);
  return { name: source.slice(0, nameEnd), attributes: attributesOf(parts), end };
}

function partsOf(source: string, mustaches: readonly Mustache[], from: number, to: number): Part[] {
  const root: Part[] = [];
  const stack: Extract<Part, { type: 'block' }>[] = [];
  const currentParts = (): Part[] => stack.at(-1)?.branches.at(-1)?.parts ?? root;
  const text = (start: number, end: number): void => {
    const parts = currentParts();
    const last = parts.at(-1);
    if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: last.text + source.slice(start, end) };
    else parts.push({ type: 'text', text: source.slice(start, end) });
  };
  let quote = '';
  for (let index = from; index < to; index++) {
    const mustache = mustaches.find(({ start }) => start === index);
    const character = source[index] ?? '';
    if (mustache) {
      const { end, kind } = mustache;
      const mustacheText = source.slice(index, end);
      const isBlock = !quote && mustache.place === 'tag';
      if (isBlock && kind === 'open')
        stack.push({ type: 'block', branches: [{ head: mustacheText, parts: [] }], closeTag: '' });
      else if (isBlock && kind === 'else') stack.at(-1)?.branches.push({ head: mustacheText, parts: [] });
      else if (isBlock && kind === 'close') {
        const block = stack.pop();
        if (block) currentParts().push({ ...block, closeTag: mustacheText });
      } else text(index, end);
      index = end - 1;
    } else if (!quote && /\s/.test(character)) {
      if (currentParts().at(-1)?.type !== 'space') currentParts().push({ type: 'space' });
    } else {
      if (quote ? character === quote : /["']/.test(character) && source[index - 1] === '=')
        quote = quote ? '' : character;
      text(index, index + 1);
    }
  }
  return root;
}

/**
 * Splits parts into attributes at spaces. A block that starts with a space in all its branches is a separate attribute, because the space
 * could also come before it.
 */
function attributesOf(parts: readonly Part[]): Attribute[] {
  const attributes: Attribute[] = [];
  let glued: Part[] = [];
  const end = (): void => {
    const [only] = glued;
    if (only?.type === 'block' && glued.length === 1) attributes.push(blockAttribute(only));
    else if (only) attributes.push(glued.map(written).join(''));
    glued = [];
  };
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const stands = part.type === 'block' && begins(part) && next?.type !== 'text';
    if (part.type === 'space' || stands) end();
    if (part.type === 'space') continue;
    glued.push(part);
    if (stands) end();
  }
  end();
  return attributes;
}

function blockAttribute({ branches, closeTag }: Extract<Part, { type: 'block' }>): Attribute {
  return { branches: branches.map(({ head, parts }) => ({ head, attributes: attributesOf(parts) })), closeTag };
}

/** Whether every branch of a block starts with a space. */
function begins({ branches }: Extract<Part, { type: 'block' }>): boolean {
  return branches.every(
    ({ parts: [first] }) => !first || first.type === 'space' || (first.type === 'block' && begins(first)),
  );
}

function written(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'space') return ' ';
  return `${part.branches.map(({ head, parts }) => head + parts.map(written).join('')).join('')}${part.closeTag}`;
}

/** An attribute on one line. */
export function flatAttribute(attribute: Attribute): string {
  if (typeof attribute === 'string') return attribute;
  const branches = attribute.branches.map(({ head, attributes }) => head + attributes.map(flatAttribute).join(' '));
  return branches.join('') + attribute.closeTag;
}

/** A mustache with one argument per line, if it is longer than `width`. */
export function mustacheLines(mustache: string, indent: number, width: number): string[] {
  const flat = mustache.replace(/\s*\n\s*/g, ' ');
  const parts = /^(\{\{\{?~?[#>&*]*\s*\S+)\s+([\s\S]*?)(\s*~?\}?\}\})$/.exec(flat);
  if (indent + flat.length <= width || !parts || /^\{\{~?!/.test(flat)) return [flat];
  const [, head = '', argumentText = '', end = ''] = parts;
  const pad = ' '.repeat(indent);
  return [head, ...argumentsIn(argumentText).map((argument) => `${pad}  ${argument}`), `${pad}${end.trim()}`];
}

/** Splits arguments at spaces; parentheses and strings stay together. */
function argumentsIn(text: string): string[] {
  const args: string[] = [];
  let depth = 0;
  let current = '';
  for (const [piece] of text.matchAll(/"(?:\\"|[^"])*"|'(?:\\'|[^'])*'|\[[^\]]*\]|\s+|[\s\S]/g)) {
    if (piece === '(') depth++;
    if (piece === ')') depth--;
    if (depth === 0 && /^\s/.test(piece)) {
      args.push(current);
      current = '';
    } else current += piece;
  }
  if (current) args.push(current);
  return args;
}
