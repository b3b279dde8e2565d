import { type Part, type Slot, slotsOf, structureOf } from './split.ts';

/** Something of a translation that its source has no place for. */
export interface Leftover {
  readonly html: string;
  /** Where in the source it would stand. */
  readonly at: number;
}

/** The texts of a translation for the slots of its source; null where it has none of its own. */
export interface Matched {
  readonly texts: readonly (string | null)[];
  readonly left: readonly Leftover[];
}

/** Finds out which text of a translation stands for which of the source, though one of them may have other blocks. */
export function matchTexts(source: string, translation: string): Matched {
  const [theirs, own] = [structureOf(source), structureOf(translation)];
  const found = new Map<Slot, string>();
  const left: Leftover[] = [];
  if (shapeOf(theirs) === shapeOf(own)) {
    const texts = slotsOf(own);
    for (const [index, slot] of slotsOf(theirs).entries()) found.set(slot, texts[index]?.text ?? slot.text);
  } else matchParts(theirs, own, { translation, found, left });
  return {
    texts: slotsOf(theirs).map((slot) => {
      const text = found.get(slot) ?? '';
      return text === '' || isSameText(text, slot.text) ? null : text;
    }),
    left,
  };
}

/** Whether two texts differ in blanks at most. */
export function isSameText(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

const plain = (text: string): string => text.replace(/[ \n\t]+/g, ' ').trim();

interface Finding {
  readonly translation: string;
  readonly found: Map<Slot, string>;
  readonly left: Leftover[];
}

function matchParts(theirs: Part, own: Part, finding: Finding): void {
  const items = joinedText(theirs, own, finding.translation);
  const pairs = new Map(pairsOf(theirs.items, items, likeness));
  const paired = new Set(pairs.values());
  // What stands elsewhere was moved: what is built alike, then what is a block of the same kind.
  for (const isMoved of [isBuiltAlike, isSameBlock]) {
    for (const part of theirs.items) {
      if (pairs.has(part)) continue;
      const moved = items.find((item) => !paired.has(item) && isPart(item) && isMoved(part, item));
      if (!moved) continue;
      pairs.set(part, moved);
      paired.add(moved);
    }
  }
  for (const [part, item] of pairs) {
    if (!isPart(part)) finding.found.set(part, textOf(item, finding.translation));
    else if (isPart(item)) matchParts(part, item, finding);
  }
  let at = theirs.inner;
  const places = new Map([...pairs].map(([part, item]) => [item, part.end]));
  for (const item of items) {
    const isContent = isPart(item) || item.kind === 'text';
    if (isContent && places.has(item)) at = places.get(item) ?? at;
    else if (isContent && !isHollow(item))
      finding.left.push({ html: finding.translation.slice(item.start, item.end), at });
  }
}

const isBuiltAlike = (part: Part | Slot, item: Part): boolean => shapeOf(part) === shapeOf(item);
const isSameBlock = (part: Part | Slot, item: Part): boolean =>
  part.kind === item.kind && /^section|\S +\S/.test(item.kind);

/** Where the source has one text, all that is in line in the translation is that text. */
function joinedText(theirs: Part, own: Part, html: string): Part['items'] {
  const [attributes, contents] = [own.items.filter(isOfTag), own.items.filter((item) => !isOfTag(item))];
  const [first, last] = [contents[0], contents.at(-1)];
  const isOneText =
    theirs.items
      .filter((item) => !isOfTag(item))
      .map(isPart)
      .join() === 'false';
  if (!isOneText || !first || !last || !contents.every((item) => !isPart(item) || inlineKind.test(item.kind)))
    return own.items;
  const text = { kind: 'text', name: '', text: html.slice(first.start, last.end), optional: false } as const;
  return [...attributes, { ...text, start: first.start, end: last.end, at: first.start }];
}

function isPart(item: Part | Slot | undefined): item is Part {
  return item !== undefined && 'items' in item;
}

/** An attribute of the element itself. */
function isOfTag(item: Part | Slot): boolean {
  return !isPart(item) && item.kind !== 'text';
}

/** Nothing in it would be missed. */
function isHollow(item: Part | Slot): boolean {
  return isPart(item) && slotsOf(item).every(({ kind }) => kind !== 'text') && !/^(img|\w+ \S)/.test(item.kind);
}

function textOf(item: Part | Slot, html: string): string {
  return isPart(item) ? html.slice(item.start, item.end) : item.text;
}

/** How likely one thing stands for another; 0: it does not. */
function likeness(part: Part | Slot, item: Part | Slot): number {
  if (!isPart(part)) {
    if (isPart(item)) return part.kind === 'text' && inlineKind.test(item.kind) ? 1 : 0;
    return part.kind === item.kind && part.name === item.name ? 2 : 0;
  }
  if (!isPart(item) || part.kind !== item.kind) return 0;
  return shapeOf(part) === shapeOf(item) ? 4 + sharedTexts(part, item) : 1;
}

const inlineKind = /^(a|abbr|b|cite|code|em|i|mark|q|small|span|strong|sub|sup|u)\b/;

/** Between 0 and 1: how much of what two parts say is the same. */
function sharedTexts(part: Part, item: Part): number {
  const [texts, others] = [slotsOf(part), new Set(slotsOf(item).map(({ text }) => text))];
  return texts.length === 0 ? 0 : texts.filter(({ text }) => others.has(text)).length / texts.length;
}

const shapes = new WeakMap<Part, string>();

/** A part with all in it but its words. */
function shapeOf(part: Part | Slot): string {
  if (!isPart(part)) return `${part.kind}${part.name}`;
  const known = shapes.get(part);
  if (known !== undefined) return known;
  const items = part.items.map(shapeOf);
  const shape = `${part.kind}(${items.join(',')})`;
  shapes.set(part, shape);
  return shape;
}

/** Pairs in the order of both lists, so that they are as alike as can be (the longest common subsequence, by weight). */
export function pairsOf<T>(theirs: readonly T[], own: readonly T[], alike: (one: T, other: T) => number): [T, T][] {
  const best = Array.from({ length: theirs.length + 1 }, () => new Float64Array(own.length + 1));
  const at = (a: number, b: number): number => best[a]?.[b] ?? 0;
  for (let a = theirs.length - 1; a >= 0; a--) {
    for (let b = own.length - 1; b >= 0; b--) {
      const like = alike(theirs[a] as T, own[b] as T);
      const row = best[a];
      if (row) row[b] = Math.max(at(a + 1, b), at(a, b + 1), like > 0 ? like + at(a + 1, b + 1) : 0);
    }
  }
  const pairs: [T, T][] = [];
  for (let a = 0, b = 0; a < theirs.length && b < own.length; ) {
    const like = alike(theirs[a] as T, own[b] as T);
    if (like > 0 && at(a, b) === like + at(a + 1, b + 1)) pairs.push([theirs[a++] as T, own[b++] as T]);
    else if (at(a, b) === at(a + 1, b)) a++;
    else b++;
  }
  return pairs;
}
