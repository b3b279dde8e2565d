import { type Part, type Slot, slotsOf, structureOf } from './split.ts';

/** A part of a translation that doesn't fit its source. */
export interface Leftover {
  readonly html: string;
  /** Position in the source where it would belong. */
  readonly at: number;
}

/** Texts of a translation for the slots of its source; null for slots without a translation. */
export interface Matched {
  readonly texts: readonly (string | null)[];
  readonly left: readonly Leftover[];
}

/** Finds the text of a translation for each slot of the source, even if one of them has additional blocks. */
export function matchTexts(source: string, translation: string): Matched {
  const [sourcePart, translatedPart] = [structureOf(source), structureOf(translation)];
  const matches = new Map<Slot, string>();
  const leftovers: Leftover[] = [];
  if (shapeOf(sourcePart) === shapeOf(translatedPart)) {
    const texts = slotsOf(translatedPart);
    for (const [index, slot] of slotsOf(sourcePart).entries()) matches.set(slot, texts[index]?.text ?? slot.text);
  } else matchParts(sourcePart, translatedPart, { translation, matches, leftovers });
  return {
    texts: slotsOf(sourcePart).map((slot) => {
      const text = matches.get(slot) ?? '';
      return text === '' || isSameText(text, slot.text) ? null : text;
    }),
    left: leftovers,
  };
}

/** Whether two texts are equal except for whitespace. */
export function isSameText(a: string, b: string): boolean {
  return a === b || plain(a) === plain(b);
}

const plain = (text: string): string => text.replace(/[ \n\t]+/g, ' ').trim();

interface Finding {
  readonly translation: string;
  readonly matches: Map<Slot, string>;
  readonly leftovers: Leftover[];
}

function matchParts(sourcePart: Part, translatedPart: Part, finding: Finding): void {
  const items = joinedText(sourcePart, translatedPart, finding.translation);
  const pairs = new Map(pairsOf(sourcePart.items, items, pairWeight));
  const paired = new Set(pairs.values());
  // Pairs the remaining parts, which were moved: the ones with the same structure first, then blocks of the same kind.
  for (const isMoved of [isBuiltAlike, isSameBlock]) {
    for (const part of sourcePart.items) {
      if (pairs.has(part)) continue;
      const moved = items.find((item) => !paired.has(item) && isPart(item) && isMoved(part, item));
      if (!moved) continue;
      pairs.set(part, moved);
      paired.add(moved);
    }
  }
  for (const [part, item] of pairs) {
    if (!isPart(part)) finding.matches.set(part, textOf(item, finding.translation));
    else if (isPart(item)) matchParts(part, item, finding);
  }
  let position = sourcePart.inner;
  const places = new Map([...pairs].map(([part, item]) => [item, part.end]));
  for (const item of items) {
    const isContent = isPart(item) || item.kind === 'text';
    if (isContent && places.has(item)) position = places.get(item) ?? position;
    else if (isContent && !isNegligible(item))
      finding.leftovers.push({ html: finding.translation.slice(item.start, item.end), at: position });
  }
}

const isBuiltAlike = (part: Part | Slot, item: Part): boolean => shapeOf(part) === shapeOf(item);
const isSameBlock = (part: Part | Slot, item: Part): boolean =>
  part.kind === item.kind && /^section|\S +\S/.test(item.kind);

/** If the source has only one text, joins all inline content of the translation into one text. */
function joinedText(sourcePart: Part, translatedPart: Part, html: string): Part['items'] {
  const [attributes, contents] = [
    translatedPart.items.filter(isOfTag),
    translatedPart.items.filter((item) => !isOfTag(item)),
  ];
  const [first, last] = [contents[0], contents.at(-1)];
  const isOneText =
    sourcePart.items
      .filter((item) => !isOfTag(item))
      .map(isPart)
      .join() === 'false';
  if (!isOneText || !first || !last || !contents.every((item) => !isPart(item) || inlineKind.test(item.kind)))
    return translatedPart.items;
  const text = { kind: 'text', name: '', text: html.slice(first.start, last.end), optional: false } as const;
  return [...attributes, { ...text, start: first.start, end: last.end, at: first.start }];
}

function isPart(item: Part | Slot | undefined): item is Part {
  return item !== undefined && 'items' in item;
}

/** Whether an item is an attribute of the element itself. */
function isOfTag(item: Part | Slot): boolean {
  return !isPart(item) && item.kind !== 'text';
}

/** Whether nothing is lost without the item. */
function isNegligible(item: Part | Slot): boolean {
  return isPart(item) && slotsOf(item).every(({ kind }) => kind !== 'text') && !/^(img|\w+ \S)/.test(item.kind);
}

function textOf(item: Part | Slot, html: string): string {
  return isPart(item) ? html.slice(item.start, item.end) : item.text;
}

/** Weight for pairing two items; 0 if they can't be paired. */
function pairWeight(part: Part | Slot, item: Part | Slot): number {
  if (!isPart(part)) {
    if (isPart(item)) return part.kind === 'text' && inlineKind.test(item.kind) ? 1 : 0;
    return part.kind === item.kind && part.name === item.name ? 2 : 0;
  }
  if (!isPart(item) || part.kind !== item.kind) return 0;
  return shapeOf(part) === shapeOf(item) ? 4 + sharedTexts(part, item) : 1;
}

const inlineKind = /^(a|abbr|b|cite|code|em|i|mark|q|small|span|strong|sub|sup|u)\b/;

/** Share of equal texts in two parts, between 0 and 1. */
function sharedTexts(part: Part, item: Part): number {
  const [texts, otherTexts] = [slotsOf(part), new Set(slotsOf(item).map(({ text }) => text))];
  return texts.length === 0 ? 0 : texts.filter(({ text }) => otherTexts.has(text)).length / texts.length;
}

const shapes = new WeakMap<Part, string>();

/** Structure of a part without its words. */
function shapeOf(part: Part | Slot): string {
  if (!isPart(part)) return `${part.kind}${part.name}`;
  const cached = shapes.get(part);
  if (cached !== undefined) return cached;
  const items = part.items.map(shapeOf);
  const shape = `${part.kind}(${items.join(',')})`;
  shapes.set(part, shape);
  return shape;
}

/** Pairs items of both lists in order, with the highest total weight (a weighted longest common subsequence). */
export function pairsOf<T>(left: readonly T[], right: readonly T[], weigh: (a: T, b: T) => number): [T, T][] {
  const best = Array.from({ length: left.length + 1 }, () => new Float64Array(right.length + 1));
  const bestAt = (a: number, b: number): number => best[a]?.[b] ?? 0;
  for (let a = left.length - 1; a >= 0; a--) {
    for (let b = right.length - 1; b >= 0; b--) {
      const weight = weigh(left[a] as T, right[b] as T);
      const row = best[a];
      if (row) row[b] = Math.max(bestAt(a + 1, b), bestAt(a, b + 1), weight > 0 ? weight + bestAt(a + 1, b + 1) : 0);
    }
  }
  const pairs: [T, T][] = [];
  for (let a = 0, b = 0; a < left.length && b < right.length; ) {
    const weight = weigh(left[a] as T, right[b] as T);
    if (weight > 0 && bestAt(a, b) === weight + bestAt(a + 1, b + 1)) pairs.push([left[a++] as T, right[b++] as T]);
    else if (bestAt(a, b) === bestAt(a + 1, b)) a++;
    else b++;
  }
  return pairs;
}
