import { parseSource } from '@pergola/pages';
import { type Attribute, flatAttribute, mustacheLines, readTag } from './tag.ts';
import { type BlockNode, type ElementNode, isUnseen, type List, type Node, readTree } from './tree.ts';

const width = 120;
/** Maximum length of a line that exceeds the width because it can't be broken. */
const longest = 180;

/**
 * Formats a template with one tag per line, indented. Adds and removes whitespace only where it isn't visible; breaks long lines at
 * existing spaces.
 */
export function formatTemplate(source: string): string {
  const printer = new Printer();
  printer.lines(readTree(parseSource(source)), 0, false);
  return `${printer.text()}\n`;
}

/** Whether a node always gets its own lines, however short it is. */
function isBig(node: Node, inSentence: boolean): boolean {
  if (node.type === 'element') return node.flow !== 'inline' && node.flow !== 'boxed' && node.name !== 'br';
  if (node.type === 'block')
    return (
      (!inSentence && isOpened(node)) ||
      node.branches.some(({ list }) => list.nodes.some((inner) => isBig(inner, inSentence || hasWords(list))))
    );
  return node.type === 'mark' ? isUnseen(node) : /^<!d/i.test(node.text);
}

/** Whether the author put the content on separate lines. */
function isOpened({ branches }: BlockNode): boolean {
  return branches.some(
    ({ list }) => list.nodes.length > 0 && (list.nodes[0]?.before === '\n' || list.tail.before === '\n'),
  );
}

/** Whether a block that starts at column `indent` needs separate lines for its content. */
function isSpread(node: Node, indent: number, inSentence: boolean): boolean {
  if (isBig(node, inSentence)) return true;
  if (node.type !== 'block' || inSentence || !node.loose) return false;
  const open = node.branches.every(
    ({
      list: {
        nodes: [first],
        tail,
      },
    }) => !first || ((first.free || !node.stripped) && (tail.free || tail.before !== '')),
  );
  return open && indent + (flat(node, inSentence)?.length ?? width) > width;
}

/** Whether Handlebars removes the whole line if the node is alone on it. */
function isSilent(node: Node): boolean {
  return node.type === 'block' || (node.type === 'mark' && node.mustache.kind !== 'value');
}

/** Whether a line must end between two nodes; `isBig` decides which nodes get their own lines. */
function breaks(previous: Node, node: Node, inSentence: boolean, isBig: (node: Node) => boolean): boolean {
  if (node.before === '' && (!node.free || inSentence)) return false;
  if (isBig(previous) || isBig(node)) return true;
  if (node.before !== '\n') return false;
  return (
    !inSentence || [previous, node].some(({ type }, index) => type === 'mark' && isSilent(index ? node : previous))
  );
}

function hasWords({ nodes }: List): boolean {
  return nodes.some((node) => node.type === 'word' && /\p{L}/u.test(node.text));
}

/** Whether the content of an inline element may start and end on separate lines. */
function hasLooseEdges({ nodes, tail }: List): boolean {
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (!first || !last || (first.before === '' && !first.free)) return false;
  return tail.free || tail.before === '\n' || (tail.before !== '' && !isSilent(last));
}

/** A node on one line, or undefined if it needs several. */
function flat(node: Node, inSentence: boolean): string | undefined {
  if (node.type === 'word') return node.text;
  if (node.type === 'mark' || node.type === 'markup')
    return node.type === 'mark' && node.mustache.kind !== 'comment'
      ? node.text.replace(/\s*\n\s*/g, ' ')
      : oneLine(node.text);
  if (node.type === 'block') return flatBlock(node, inSentence);
  const open = flatTag(node.openTag);
  if (typeof node.content === 'string')
    return oneLine(node.content) === undefined || open === undefined ? undefined : open + node.content + node.closeTag;
  const content = flatList(node.content, inSentence && node.flow === 'inline', node.flow !== 'inline');
  return content === undefined || open === undefined ? undefined : open + content + node.closeTag;
}

function flatBlock(node: BlockNode, inSentence: boolean): string | undefined {
  if (isBig(node, inSentence)) return undefined;
  const branches = node.branches.map(({ head, list }) => {
    const content = flatList(list, inSentence, false);
    return content === undefined ? undefined : head.replace(/\s*\n\s*/g, ' ') + content;
  });
  return branches.includes(undefined) ? undefined : branches.join('') + node.closeTag;
}

function flatList(list: List, inSentence: boolean, trimmed: boolean): string | undefined {
  const { nodes, tail } = list;
  const sentence = inSentence || hasWords(list);
  let line = '';
  for (const [index, node] of nodes.entries()) {
    const previous = nodes[index - 1];
    const text = flat(node, sentence);
    if (text === undefined || (previous && breaks(previous, node, sentence, (child) => isBig(child, sentence))))
      return undefined;
    line += (node.before && (previous || !trimmed) ? ' ' : '') + text;
  }
  return nodes.length === 1 && nodes.some((node) => isBig(node, sentence))
    ? undefined
    : line + (tail.before && !trimmed ? ' ' : '');
}

function oneLine(text: string): string | undefined {
  return text.includes('\n') ? undefined : text;
}

function flatTag(tag: string): string | undefined {
  const { name, attributes, end } = readTag(tag);
  const line = [name, ...attributes.map(flatAttribute)].join(' ') + (end === '/>' ? ' />' : end);
  return oneLine(line);
}

/** Collects lines and fills them with words up to the width. */
class Printer {
  readonly #done: string[] = [];
  #line = '';
  /** Whether the line contains only nodes that Handlebars would remove with the line. */
  #silent = false;

  text(): string {
    return [...this.#done, this.#line]
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
  }

  #put(text: string, silent = false): void {
    this.#silent = silent && this.#line.trim() === '';
    this.#line += text;
  }

  #putLines(lines: readonly string[], silent = false): void {
    for (const [index, line] of lines.entries()) {
      if (index > 0) {
        this.#done.push(this.#line);
        this.#line = '';
      }
      this.#put(line, silent);
    }
  }

  #newLine(indent: number): void {
    if (this.#line.trim() !== '') this.#done.push(this.#line);
    this.#line = ' '.repeat(indent);
  }

  #room(text: string): boolean {
    return this.#line.length + text.length <= width;
  }

  /** Prints the nodes of a list, starting on a new line. */
  lines(list: List, indent: number, inSentence: boolean): void {
    this.#newLine(indent);
    this.#flow(list, indent, inSentence, false);
  }

  /** Prints the nodes of a list after the current text; `spaced` keeps the space before the first one. */
  #flow(list: List, indent: number, inSentence: boolean, spaced: boolean): void {
    const sentence = inSentence || hasWords(list);
    for (const [index, node] of list.nodes.entries()) {
      const previous = list.nodes[index - 1];
      if (previous && breaks(previous, node, sentence, (child) => isSpread(child, indent, sentence)))
        this.#newLine(indent);
      else if (node.before && (previous || spaced)) this.#space(clusterFrom(list, index, sentence, indent), indent);
      else if (previous && node.free && !sentence && !this.#room(flat(node, sentence) ?? '')) this.#newLine(indent);
      this.#node(node, indent, sentence);
    }
  }

  /** Prints a space, or starts a new line if the next text doesn't fit. */
  #space(next: string | undefined, indent: number): void {
    if (this.#line.trim() === '') return;
    if (this.#silent || (next !== undefined && this.#room(` ${next}`))) this.#line += ' ';
    else this.#newLine(indent);
  }

  #node(node: Node, indent: number, inSentence: boolean): void {
    const text = flat(node, inSentence);
    if (text !== undefined && this.#room(text)) this.#put(text, isSilent(node));
    else if (node.type === 'element') this.#element(node, indent, inSentence);
    else if (node.type === 'block') this.#block(node, indent, inSentence);
    else if (node.type === 'mark' && node.mustache.kind !== 'comment')
      this.#putLines(
        mustacheLines(node.text, indent, this.#line.length + node.text.length > longest ? 0 : width),
        isSilent(node),
      );
    else this.#putLines(node.text.split('\n'), isSilent(node));
  }

  #element({ openTag, closeTag, content, flow }: ElementNode, indent: number, inSentence: boolean): void {
    this.#tag(openTag, indent);
    if (typeof content === 'string') this.#putLines((content + closeTag).split('\n'));
    else if (flow !== 'inline' || (!inSentence && hasLooseEdges(content))) {
      if (content.nodes.length > 0) {
        this.lines(content, indent + 2, false);
        this.#newLine(indent);
      }
      this.#put(closeTag);
    } else {
      this.#flow(content, indent, inSentence, true);
      if (content.tail.before) this.#space(closeTag, indent);
      this.#put(closeTag);
    }
  }

  #tag(tag: string, indent: number): void {
    const line = flatTag(tag);
    const { name, attributes, end } = readTag(tag);
    if (line !== undefined && (this.#room(line) || attributes.length === 0)) {
      this.#put(line);
      return;
    }
    this.#put(name);
    for (const attribute of attributes) this.#attribute(attribute, indent + 2);
    this.#newLine(indent);
    this.#put(end);
  }

  #attribute(attribute: Attribute, indent: number): void {
    this.#newLine(indent);
    const line = flatAttribute(attribute);
    if (typeof attribute === 'string' || this.#room(line)) {
      this.#putLines(line.split('\n'));
      return;
    }
    for (const { head, attributes } of attribute.branches) {
      this.#newLine(indent);
      this.#put(head);
      for (const inner of attributes) this.#attribute(inner, indent + 2);
    }
    this.#newLine(indent);
    this.#put(attribute.closeTag);
  }

  #block(node: BlockNode, indent: number, inSentence: boolean): void {
    const mayOpen = isSpread(node, indent, inSentence);
    for (const { head, list } of node.branches) {
      this.#putLines(mustacheLines(head, indent, width), true);
      const [first] = list.nodes;
      if (!first) continue;
      if (mayOpen && (first.before !== '' || first.free || (node.loose && !node.stripped)))
        this.lines(list, indent + 2, inSentence);
      else {
        if (first.before && !inSentence) this.#put(' ');
        this.#flow(list, indent, inSentence, inSentence);
      }
      if (mayOpen && (list.tail.before !== '' || list.tail.free)) this.#newLine(indent);
      else if (list.tail.before) this.#space(inSentence ? node.closeTag : '', indent);
    }
    this.#put(node.closeTag, true);
  }
}

/** A node and everything attached to it without a space, on one line. */
function clusterFrom({ nodes }: List, from: number, inSentence: boolean, indent: number): string | undefined {
  let text = '';
  for (let index = from; index < nodes.length; index++) {
    const node = nodes[index];
    if (
      !node ||
      (index > from &&
        (node.before !== '' ||
          breaks(nodes[index - 1] ?? node, node, inSentence, (child) => isSpread(child, indent, inSentence))))
    )
      break;
    const piece = flat(node, inSentence);
    if (piece === undefined) return index > from ? text : undefined;
    text += piece;
  }
  return text;
}
