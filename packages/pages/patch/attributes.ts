import type { Element } from 'domhandler';
import { maskMustaches } from '../source/mustaches.ts';
import {
  type AttributeRange,
  attributesOf,
  type ElementRange,
  isBalanced,
  type ParsedSource,
  parseSource,
  rangeOf,
  within,
} from '../source/source.ts';
import type { Edit } from '../source/splice.ts';

/** Change made by one `<attribute>` of a patch. */
export interface AttributeChange {
  readonly name: string;
  /** The whole new value as Handlebars source; an empty one removes the attribute. */
  readonly value?: string;
  readonly add?: string;
  readonly remove?: string;
  /** Separator of the words in `add` and `remove`. */
  readonly separator: string;
}

const allowedName = /^[A-Za-z_:@][\w:.-]*$/;

/** Parses the content of an `attributes` change; returns an error message if it is invalid. */
export function readAttributeChanges(content: string): readonly AttributeChange[] | string {
  const parsed = parseSource(content);
  const changes: AttributeChange[] = [];
  for (const node of parsed.document.childNodes) {
    if (node.type === 'text' && node.data.trim() === '') continue;
    if (!('attribs' in node) || node.name !== 'attribute')
      return 'its content is not made of <attribute name="…"> only';
    const change = readAttributeChange(parsed, node);
    if (typeof change === 'string') return change;
    if (changes.some(({ name }) => name === change.name)) return `the attribute ${change.name} is there twice`;
    changes.push(change);
  }
  return changes;
}

function readAttributeChange(parsed: ParsedSource, element: Element): AttributeChange | string {
  const range = rangeOf(parsed, element);
  const attributeValues = new Map<string, string>();
  for (const { name, valueStart, valueEnd } of attributesOf(parsed, element, range))
    attributeValues.set(name, parsed.source.slice(valueStart, valueEnd));
  const name = attributeValues.get('name') ?? '';
  if (!allowedName.test(name)) return `"${name}" is no name of an attribute`;
  if (/^on/i.test(name)) return `${name} would be script in an attribute`;
  if (element.childNodes.some((child) => child.type !== 'text')) return `the value of ${name} holds a tag`;
  const unknown = [...attributeValues.keys()].find((key) => !['name', 'add', 'remove', 'separator'].includes(key));
  if (unknown) return `<attribute> has no option "${unknown}"`;
  const value = range.empty ? '' : parsed.source.slice(range.openEnd, range.closeStart).trim();
  const [add, remove, separator = ' '] = [
    attributeValues.get('add'),
    attributeValues.get('remove'),
    attributeValues.get('separator'),
  ];
  if (add === undefined && remove === undefined) return { name, value, separator };
  return value === '' ? { name, add, remove, separator } : `${name} has both a value and words to add or remove`;
}

/** Edits that apply the changes to one element, or an error message. */
export function attributeEdits(
  parsed: ParsedSource,
  element: Element,
  changes: readonly AttributeChange[],
  optional: boolean,
): Edit[] | string {
  const range = rangeOf(parsed, element);
  if (!isBalanced(parsed.mustaches, range.start, range.openEnd)) return 'its opening tag is split over a block';
  const attributes = attributesOf(parsed, element, range);
  const edits: Edit[] = [];
  for (const change of changes) {
    const matching = attributes.filter(({ name }) => name === change.name);
    if (matching.some(({ start }) => !isBalanced(parsed.mustaches, range.start, start))) {
      return `its attribute ${change.name} is inside of a block in the opening tag`;
    }
    const value = newValue(parsed, change, matching[0], optional);
    if (value.fault) return value.fault;
    edits.push(...edit(parsed, element, range, change.name, matching[0], value.text));
  }
  return edits;
}

function edit(
  parsed: ParsedSource,
  element: Element,
  range: ElementRange,
  name: string,
  old: AttributeRange | undefined,
  value: string,
): Edit[] {
  if (value !== '') {
    const attributeText = `${name}="${quotable(value)}"`;
    if (old) return [{ at: old.start, remove: old.end - old.start, insert: attributeText }];
    // Right after the tag name: after an unquoted value that renders empty, it would become part of that attribute.
    return [{ at: range.start + 1 + element.name.length, remove: 0, insert: ` ${attributeText}` }];
  }
  if (!old) return [];
  const start = old.start - (/\s+$/.exec(parsed.source.slice(range.start, old.start))?.[0].length ?? 0);
  const spacing = /[\s/>]/.test(parsed.source[old.end] ?? '>') ? '' : ' ';
  return [{ at: start, remove: old.end - start, insert: spacing }];
}

function newValue(
  parsed: ParsedSource,
  { name, value, add, remove, separator }: AttributeChange,
  old: AttributeRange | undefined,
  optional: boolean,
): { text: string; fault?: string } {
  if (value !== undefined) return { text: value };
  let text = old ? parsed.source.slice(old.valueStart, old.valueEnd) : '';
  for (const word of wordsOf(remove, separator)) {
    const shortened = withoutWord(text, word, separator);
    if (shortened === undefined && !optional) return { text, fault: `its attribute ${name} has no "${word}"` };
    text = shortened ?? text;
  }
  for (const word of wordsOf(add, separator)) {
    if (withoutWord(text, word, separator) === undefined)
      text = text.trim() === '' ? word : `${text.trimEnd()}${separator}${word}`;
  }
  return { text: text.trim() };
}

function wordsOf(words: string | undefined, separator: string): string[] {
  if (words === undefined) return [];
  const { html } = maskValue(words);
  const between = separator === ' ' ? /\s+/g : new RegExp(separator.replace(/[^\w\s]/g, '\\$&'), 'g');
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: gap } of [...html.matchAll(between), { index: html.length, 0: '' }]) {
    parts.push(words.slice(from, index).trim());
    from = index + gap.length;
  }
  return parts.filter((word) => word !== '');
}

/** A value without one of its words, or undefined if it doesn't contain it. Mustaches between words stay. */
function withoutWord(value: string, word: string, separator: string): string | undefined {
  const [masked, maskedWord] = [maskValue(value), maskValue(word).html];
  const isBoundary = (offset: number): boolean => {
    const character = masked.html[offset];
    if (character === undefined) return true;
    return separator === ' '
      ? /\s/.test(character)
      : character === separator || value.slice(offset, offset + 2) === '{{';
  };
  const inMustache = (offset: number): boolean =>
    within(masked.mustaches, 0, value.length).some(({ start, end }) => offset >= start && offset < end);
  for (let from = masked.html.indexOf(maskedWord); from >= 0; from = masked.html.indexOf(maskedWord, from + 1)) {
    let [start, end] = [from, from + maskedWord.length];
    while (separator !== ' ' && /\s/.test(masked.html[start - 1] ?? '') && !inMustache(start - 1)) start--;
    if (!(start === 0 || isBoundary(start - 1) || inMustache(start - 1)) || !isBoundary(end)) continue;
    if (start > 0 && !inMustache(start - 1)) start--;
    else if (end < value.length && !inMustache(end)) end++;
    return value.slice(0, start) + value.slice(end);
  }
  return undefined;
}

function maskValue(value: string): { html: string; mustaches: ReturnType<typeof maskMustaches>['mustaches'] } {
  const prefix = '<a b="';
  const { html, mustaches } = maskMustaches(`${prefix}${value}">`);
  const move = (offset: number): number => offset - prefix.length;
  return {
    html: html.slice(prefix.length, -2),
    mustaches: mustaches.map((mustache) => ({ ...mustache, start: move(mustache.start), end: move(mustache.end) })),
  };
}

/** Makes a value safe between double quotes; quotes inside mustaches belong to Handlebars. */
function quotable(value: string): string {
  const { mustaches } = maskMustaches(value);
  let text = '';
  let offset = 0;
  for (const { start, end } of mustaches) {
    text += value.slice(offset, start).replaceAll('"', '&quot;') + value.slice(start, end);
    offset = end;
  }
  return text + value.slice(offset).replaceAll('"', '&quot;');
}
