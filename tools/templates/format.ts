import { parseSource } from '@pergola/pages';
import { type Attribute, flatAttribute, mustacheLines, readTag } from './tag.ts';
import { type BlockNode, type ElementNode, isUnseen, type List, type Node, readTree } from './tree.ts';

const width = 120;
/** What stands without a space beside something else may be longer, but not longer than this. */
const longest = 180;

/** A template with one tag a line, indented. Space is put and taken only where nobody sees it; what is too long is broken where space stands. */
export function formatTemplate(source: string): string {
  const printer = new Printer();
  printer.lines(readTree(parseSource(source)), 0, false);
  return `${printer.text()}\n`;
}

/** What has lines of its own, however short it is. */
function isBig(node: Node, inSentence: boolean): boolean {
  if (node.type === 'element') return node.flow !== 'inline' && node.flow !== 'boxed' && node.name !== 'br';
  if (node.type === 'block')
    return (
      (!inSentence && isOpened(node)) ||
      node.branches.some(({ list }) => list.nodes.some((inner) => isBig(inner, inSentence || hasWords(list))))
    );
  return node.type === 'mark' ? isUnseen(node) : /^<!d/i.test(node.text);
}

/** Written by its author with its content on lines of its own. */
function isOpened({ branches }: BlockNode): boolean {
  return branches.some(
    ({ list }) => list.nodes.length > 0 && (list.nodes[0]?.before === '\n' || list.tail.before === '\n'),
  );
}

/** Whether a block has its content on lines of its own when it begins at `indent`. */
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

/** What Handlebars takes with its whole line when it stands alone there. */
function isSilent(node: Node): boolean {
  return node.type === 'block' || (node.type === 'mark' && node.mustache.kind !== 'value');
}

/** Whether a line has to end between two nodes; `isBig` says which have lines of their own. */
function breaks(previous: Node, node: Node, inSentence: boolean, isBig: (node: Node) => boolean): boolean {
  if (node.before === '' && (!node.free || inSentence)) return false;
  if (isBig(previous) || isBig(node)) return true;
  if (node.before !== '\n') return false;
  return !inSentence || [previous, node].some(({ type }, at) => type === 'mark' && isSilent(at ? node : previous));
}

function hasWords({ nodes }: List): boolean {
  return nodes.some((node) => node.type === 'word' && /\p{L}/u.test(node.text));
}

/** Whether the content of an element in a line may begin and end on lines of its own. */
function hasLooseEdges({ nodes, tail }: List): boolean {
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (!first || !last || (first.before === '' && !first.free)) return false;
  return tail.free || tail.before === '\n' || (tail.before !== '' && !isSilent(last));
}

/** A node on one line; undefined where it needs several. */
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
  for (const [at, node] of nodes.entries()) {
    const previous = nodes[at - 1];
    const text = flat(node, sentence);
    if (text === undefined || (previous && breaks(previous, node, sentence, (one) => isBig(one, sentence))))
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

/** Collects lines; words are filled into them up to the width. */
class Printer {
  readonly #done: string[] = [];
  #line = '';
  /** Whether the line holds nothing but what Handlebars would take with it. */
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
    for (const [at, line] of lines.entries()) {
      if (at > 0) {
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

  /** The nodes of a list from the beginning of a line on. */
  lines(list: List, indent: number, inSentence: boolean): void {
    this.#newLine(indent);
    this.#flow(list, indent, inSentence, false);
  }

  /** The nodes of a list behind what is on the line; `spaced`: the space before the first is kept. */
  #flow(list: List, indent: number, inSentence: boolean, spaced: boolean): void {
    const sentence = inSentence || hasWords(list);
    for (const [at, node] of list.nodes.entries()) {
      const previous = list.nodes[at - 1];
      if (previous && breaks(previous, node, sentence, (one) => isSpread(one, indent, sentence))) this.#newLine(indent);
      else if (node.before && (previous || spaced)) this.#space(clusterFrom(list, at, sentence, indent), indent);
      else if (previous && node.free && !sentence && !this.#room(flat(node, sentence) ?? '')) this.#newLine(indent);
      this.#node(node, indent, sentence);
    }
  }

  /** A space, or a new line where what comes next has no room. */
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

/** A node with what follows it without a space, on one line. */
function clusterFrom({ nodes }: List, from: number, inSentence: boolean, indent: number): string | undefined {
  let text = '';
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at];
    if (
      !node ||
      (at > from &&
        (node.before !== '' ||
          breaks(nodes[at - 1] ?? node, node, inSentence, (one) => isSpread(one, indent, inSentence))))
    )
      break;
    const piece = flat(node, inSentence);
    if (piece === undefined) return at > from ? text : undefined;
    text += piece;
  }
  return text;
}
