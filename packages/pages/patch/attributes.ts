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
} from '../source/source.ts';
import type { Edit } from '../source/splice.ts';

/** Change made by one `<attribute>` of a patch. */
export interface AttributeChange {
  readonly name: string;
  /** The whole new value as Handlebars source; an empty one takes the attribute away. */
  readonly value: string;
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
  const attributes = attributesOf(parsed, element, range);
  const nameAttribute = attributes.find(({ name }) => name === 'name');
  const name = nameAttribute ? parsed.source.slice(nameAttribute.valueStart, nameAttribute.valueEnd) : '';
  if (!allowedName.test(name)) return `"${name}" is no name of an attribute`;
  if (/^on/i.test(name)) return `${name} would be script in an attribute`;
  if (element.childNodes.some((child) => child.type !== 'text')) return `the value of ${name} holds a tag`;
  const unknown = attributes.find((attribute) => attribute !== nameAttribute);
  if (unknown) return `<attribute> has no option "${unknown.name}"`;
  return { name, value: range.empty ? '' : parsed.source.slice(range.openEnd, range.closeStart).trim() };
}

/** Edits that apply the changes to one element, or an error message. */
export function attributeEdits(
  parsed: ParsedSource,
  element: Element,
  changes: readonly AttributeChange[],
): Edit[] | string {
  const range = rangeOf(parsed, element);
  if (!isBalanced(parsed.mustaches, range.start, range.openEnd)) return 'its opening tag is split over a block';
  const attributes = attributesOf(parsed, element, range);
  const edits: Edit[] = [];
  for (const { name, value } of changes) {
    const matches = attributes.filter((attribute) => attribute.name === name);
    if (matches.some(({ start }) => !isBalanced(parsed.mustaches, range.start, start))) {
      return `its attribute ${name} is inside of a block in the opening tag`;
    }
    edits.push(...edit(parsed, element, range, name, matches[0], value));
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

/** Escapes a value for double quotes, except quotes inside mustaches, which belong to Handlebars. */
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
