import { type MessageNode, messageFault, parseMessage } from '@pergola/texts';
import type { TextCall } from '../check/handlebars.ts';
import { translatedMark } from '../helpers/rules.ts';
import type { ParsedSource } from '../source/source.ts';
import { type Edit, splice } from '../source/splice.ts';
import { type Unit, unitsOf } from './units.ts';

/** Translations for the sources of one addon in one language. */
export interface SourceTranslator {
  /** The translation of a text, or undefined. */
  text(source: string): string | undefined;
  /** The plural forms of a text, or undefined. */
  forms(one: string): readonly string[] | undefined;
}

/** A translation that can't be inserted into the source; the source text stays. */
export interface TranslationFault {
  readonly message: string;
  readonly fault: string;
}

export interface TranslatableText {
  readonly id: string;
  readonly plural?: string;
  /** Offset in the source. */
  readonly offset: number;
  /** Explanations of its placeholders for translators: `{name}` = `{{author.name}}`. */
  readonly notes: readonly string[];
}

/** A source with its translatable parts, independent of the language. */
export interface TranslatableSource {
  readonly source: string;
  readonly units: readonly Unit[];
  readonly calls: readonly TextCall[];
}

/** Finds the translatable parts of a source: the texts of its markup, and (`calls`) the texts of `{{t}}` and `{{plural}}`. */
export function translatable(parsed: ParsedSource, calls: readonly TextCall[]): TranslatableSource {
  return { source: parsed.source, units: unitsOf(parsed), calls };
}

/** The translatable texts as a list for translators. */
export function translatableTexts({ source, units, calls }: TranslatableSource): TranslatableText[] {
  const texts: TranslatableText[] = units.map((unit) => ({
    id: unit.message,
    offset: unit.start,
    notes: notesOf(source, unit),
  }));
  const calledTexts = calls.map(({ id, plural, start }) => ({ id, plural, offset: start, notes: [] }));
  return [...texts, ...calledTexts].sort((a, b) => a.offset - b.offset);
}

function notesOf(source: string, { parts }: Unit): string[] {
  return [...parts].flatMap(([label, { open }]) => {
    const code = source.slice(open.start, open.end).replace(/\s+/g, ' ');
    return label.startsWith('{') ? [`${label} = ${code}`] : [];
  });
}

/**
 * Translates a source: replaces every unit that has a translation, with its values and tags in their new order as written in the source.
 * The elements stay the same, so the same selectors match.
 */
export function translateSource(
  { source, units, calls }: TranslatableSource,
  translator: SourceTranslator,
): { source: string; faults: TranslationFault[] } {
  const faults: TranslationFault[] = [];
  const inner: Edit[] = calls.flatMap((call) => callEdits(call, source, translator, faults));
  for (const unit of units) {
    if (unit.kind === 'attribute') inner.push(...unitEdits(unit, source, inner, translator, faults));
  }
  const outer = units.flatMap((unit) =>
    unit.kind === 'text' ? unitEdits(unit, source, inner, translator, faults) : [],
  );
  if (inner.length === 0 && outer.length === 0) return { source, faults };
  const separate = inner.filter(
    (edit) => !outer.some(({ at: offset, remove }) => edit.at >= offset && edit.at + edit.remove <= offset + remove),
  );
  return { source: splice(source, [...outer, ...dropCovered(separate)]) ?? source, faults };
}

/** Drops edits inside other edits, which already include them. */
function dropCovered(edits: readonly Edit[]): Edit[] {
  const covers = (outer: Edit, inner: Edit): boolean =>
    outer !== inner &&
    outer.remove > inner.remove &&
    inner.at >= outer.at &&
    inner.at + inner.remove <= outer.at + outer.remove;
  return edits.filter((edit) => !edits.some((covering) => covers(covering, edit)));
}

function unitEdits(
  unit: Unit,
  source: string,
  inner: readonly Edit[],
  translator: SourceTranslator,
  faults: TranslationFault[],
): Edit[] {
  const text = translator.text(unit.message);
  if (text === undefined || text === unit.message || text.trim() === '') return [];
  const fault = messageFault(unit.message, text);
  if (fault !== undefined) {
    faults.push({ message: unit.message, fault });
    return [];
  }
  const copy = (start: number, end: number): string => slice(source, inner, start, end);
  return [{ at: unit.start, remove: unit.end - unit.start, insert: print(parseMessage(text.trim()), unit, copy) }];
}

/** Part of the source with the edits inside it. */
function slice(source: string, edits: readonly Edit[], start: number, end: number): string {
  const inside = edits.filter(({ at: offset, remove }) => offset >= start && offset + remove <= end);
  const moved = dropCovered(inside).map((edit) => ({ ...edit, at: edit.at - start }));
  return splice(source.slice(start, end), moved) ?? source.slice(start, end);
}

function print(nodes: readonly MessageNode[], unit: Unit, copy: (start: number, end: number) => string): string {
  return nodes
    .map((node, index) => {
      if (node.type === 'text') return betweenBranches(nodes, index) ? '' : encode(node.text, unit.kind);
      const part = unit.parts.get(node.type === 'value' ? `{${node.name}}` : `<${node.name}>`);
      if (!part) return '';
      const open = copy(part.open.start, part.open.end);
      if (node.type === 'value' || !part.close) return open;
      return open + print(node.children, unit, copy) + copy(part.close.start, part.close.end);
    })
    .join('');
}

/** Space between `<if>…</if>` and its `<else>` belongs to neither. */
function betweenBranches(nodes: readonly MessageNode[], index: number): boolean {
  const next = nodes[index + 1];
  const node = nodes[index];
  return node?.type === 'text' && node.text.trim() === '' && next?.type === 'pair' && next.name.startsWith('else');
}

const codes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
  '}': '&#125;',
  '\\': '&#92;',
};

/** Encodes a translated text as markup without meaning for Handlebars: it can neither open a mustache nor escape one with a backslash. */
function encode(text: string, kind: Unit['kind']): string {
  return text.replace(
    kind === 'attribute' ? /[&<>"'{}\\]/g : /[&<>{}\\]/g,
    (character) => codes[character] ?? character,
  );
}

function callEdits(call: TextCall, source: string, translator: SourceTranslator, faults: TranslationFault[]): Edit[] {
  const { helper, id, start, end } = call;
  const text = helper === 'plural' ? undefined : translator.text(id);
  const texts = helper === 'plural' ? (translator.forms(id) ?? []) : text === undefined ? [] : [text];
  if (texts.length === 0 || texts.some((text) => text.trim() === '')) return [];
  const fault = texts.map((text) => callFault(call, text)).find((message) => message !== undefined);
  if (fault !== undefined) {
    faults.push({ message: id, fault });
    return [];
  }
  const literals = texts.map((text) => `"${text.replaceAll('"', '\\"')}"`).join(' ');
  const insert = helper === 'plural' ? `${literals} ${translatedMark}=true` : literals;
  return source.slice(start, end) === insert ? [] : [{ at: start, remove: end - start, insert }];
}

function callFault({ id, plural }: TextCall, text: string): string | undefined {
  // Handlebars would read the backslash and the following quote as an escape
  return text.endsWith('\\') ? 'it ends in a backslash' : messageFault(plural ?? id, text, plural !== undefined);
}
