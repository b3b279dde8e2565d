import { escapeAttribute } from '@pergola/content';
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';

/**
 * A translatable piece of markup: a run of text with its inline elements (`text`, as HTML), words in an attribute (`attribute`), the
 * address of a link, or the title in the options of a block (`option`). Everything around slots is the same in all languages.
 */
export interface Slot {
  readonly kind: 'text' | 'attribute' | 'link' | 'option';
  /** The attribute or option; empty for text. */
  readonly name: string;
  readonly text: string;
  /** Position in the markup. */
  readonly start: number;
  readonly end: number;
  /** Start of the tag with the attribute; for texts, the same as `start`. */
  readonly at: number;
  /** Translation isn't expected: addresses, numbers, a picture's empty texts. */
  readonly optional: boolean;
}

/** An element of the structure; slots of its own attributes come first. */
export interface Part {
  /** Kind of element, regardless of its contents: tag, block that fills it, snippet it came from. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** Start of its contents. */
  readonly inner: number;
  readonly items: readonly (Part | Slot)[];
}

const inlineTags = new Set(
  `a abbr b bdi bdo br cite code data del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr`.split(
    ' ',
  ),
);
const wordAttributes = new Set(['alt', 'title', 'placeholder', 'aria-label']);
/** Options of blocks that contain words; others are choices. */
const wordOptions = /&quot;(title|place|done)&quot;:&quot;((?:\\(?:&quot;|.)|(?!&quot;)[^"\\])+)&quot;/g;

/** Parses markup into its structure, with slots for texts. */
export function structureOf(html: string): Part {
  const { children } = parseDocument(html, { withStartIndices: true, withEndIndices: true });
  return { kind: '', start: 0, end: html.length, inner: 0, items: itemsOf(html, children) };
}

/** Returns the slots of a structure, in the order of the markup. */
export function slotsOf(part: Part): Slot[] {
  return part.items.flatMap((item) => ('items' in item ? slotsOf(item) : [item]));
}

/** Returns the slots of markup, in order. */
export function splitMarkup(html: string): Slot[] {
  return slotsOf(structureOf(html));
}

/** Fills these texts into the slots of markup; null keeps the existing text. */
export function fillSlots(html: string, slots: readonly Slot[], texts: readonly (string | null)[]): string {
  let filled = '';
  let from = 0;
  for (const [index, slot] of slots.entries()) {
    const text = texts[index] ?? null;
    if (text === null) continue;
    filled += html.slice(from, slot.start) + encodeText(slot, text);
    from = slot.end;
  }
  return filled + html.slice(from);
}

function encodeText({ kind }: Slot, text: string): string {
  if (kind === 'text') return text;
  return escapeAttribute(kind === 'option' ? JSON.stringify(text).slice(1, -1) : text);
}

function itemsOf(html: string, nodes: readonly ChildNode[]): (Part | Slot)[] {
  const items: (Part | Slot)[] = [];
  let run: ChildNode[] = [];
  const endRun = (): void => {
    items.push(...itemsOfRun(html, run));
    run = [];
  };
  for (const node of nodes) {
    if (isInline(node)) run.push(node);
    else {
      endRun();
      if (isTag(node)) items.push(partOf(html, node));
    }
  }
  endRun();
  return items;
}

/** Returns a run as one text; but elements without text between them, like two buttons, are structure with a text each. */
function itemsOfRun(html: string, nodes: readonly ChildNode[]): (Part | Slot)[] {
  const first = nodes.findIndex(hasWords);
  if (first < 0) return [];
  const run = nodes.slice(first, nodes.findLastIndex(hasWords) + 1);
  if (!run.some((node) => isText(node) && node.data.trim() !== ''))
    return run.flatMap((node) => (isTag(node) ? [partOf(html, node)] : []));
  const raw = html.slice(run[0]?.startIndex ?? 0, (run.at(-1)?.endIndex ?? -1) + 1);
  const text = raw.trim();
  if (!/[\p{L}\p{N}]/u.test(text.replace(/<[^>]*>/g, ''))) return [];
  const start = (run[0]?.startIndex ?? 0) + raw.indexOf(text);
  return [slot({ kind: 'text', name: '', text, start, end: start + text.length, at: start })];
}

/** Whether the node contains anything but whitespace, line breaks and icons. */
function hasWords(node: ChildNode): boolean {
  if (isText(node)) return node.data.trim() !== '';
  return isTag(node) && (node.attribs.title !== undefined || node.children.some(hasWords));
}

function partOf(html: string, element: Element): Part {
  const { name, attribs, children } = element;
  const start = element.startIndex ?? 0;
  const end = (element.endIndex ?? -1) + 1;
  const [tag = ''] = /^<[^\s>]+(?:\s+[^\s=>]+(?:="[^"]*")?)*\s*\/?>/.exec(html.slice(start, end)) ?? [];
  const snippet = attribs.class?.split(/\s+/).find((className) => className.startsWith('s_')) ?? '';
  return {
    kind: `${name} ${attribs['data-block'] ?? ''} ${snippet}`,
    start,
    end,
    inner: start + tag.length,
    items: isFixed(element)
      ? slotsOfTag(tag, element)
      : [...slotsOfTag(tag, element), ...itemsOf(html, children as ChildNode[])],
  };
}

function slotsOfTag(tag: string, { attribs, startIndex }: Element): Slot[] {
  const tagStart = startIndex ?? 0;
  return [...tag.matchAll(/\s([^\s=>]+)="([^"]*)"/g)].flatMap((match) => {
    const [attribute, name = '', raw = ''] = match;
    const start = tagStart + match.index + attribute.length - 1 - raw.length;
    const slotFields = { name, text: attribs[name] ?? '', start, end: start + raw.length, at: tagStart };
    if (name === 'href') return [slot({ kind: 'link', ...slotFields })];
    if (wordAttributes.has(name)) return [slot({ kind: 'attribute', ...slotFields })];
    if (name !== 'data-options') return [];
    return [...raw.matchAll(wordOptions)].flatMap((option) => {
      const [all, key = '', value = ''] = option;
      const from = start + option.index + all.length - '&quot;'.length - value.length;
      const text = textOfOption(attribs[name] ?? '', key);
      return text === null
        ? []
        : [slot({ kind: 'option', name: key, text, start: from, end: from + value.length, at: tagStart })];
    });
  });
}

function textOfOption(json: string, key: string): string | null {
  try {
    const value: unknown = (JSON.parse(json) as Record<string, unknown>)[key];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function slot(fields: Omit<Slot, 'optional'>): Slot {
  const words = fields.kind === 'text' ? plainText(fields.text) : fields.text;
  return { ...fields, optional: fields.kind === 'link' || isWordless(words) };
}

/** Strips tags and entities from markup. */
export function plainText(html: string): string {
  return html.replace(/<[^>]*>|&\w+;/g, ' ');
}

/** A word that is an email address or a web address: with a scheme, or only a domain. */
const address =
  /^[(<“"]?(?:(?:https?:\/\/|mailto:|www\.)\S+|[^\s@]+@[^\s@]+\.\p{L}{2,}|(?:[a-z\d-]+\.)+[a-z]{2,}(?:\/\S*)?)[)>”",;:.!?]*$/u;

/** Whether a text is the same in all languages: only numbers, symbols and addresses. */
export function isWordless(text: string): boolean {
  return text.split(/\s+/).every((word) => !/\p{L}/u.test(word) || address.test(word));
}

function isInline(node: ChildNode): boolean {
  if (!isTag(node)) return true;
  return inlineTags.has(node.name) && !isFixed(node) && (node.children as ChildNode[]).every(isInline);
}

/** Whether markup is entirely inline, so that it can replace a text. */
export function isInlineMarkup(html: string): boolean {
  return parseDocument(html).children.every(isInline);
}

/** Content filled by the server, and elements marked as not translatable. */
function isFixed({ attribs }: Element): boolean {
  return attribs['data-block'] !== undefined || attribs.translate === 'no';
}
