import { isSameText, pairsOf } from './match.ts';
import { isWordless, plainText, type Slot } from './split.ts';

/** Translation of a slot: null for none, a text, or a text with the former source text it translates if the source has changed. */
export type Term = string | null | readonly [text: string, was: string];

/** A language's terms, in the order of the source's slots, and translations of removed texts, which may come back. */
export interface LanguageTerms {
  readonly terms: readonly Term[];
  readonly gone: Readonly<Record<string, string>>;
}

/** Number of translations of removed texts kept per language. */
const maxRemoved = 200;

/** Maps each slot of the new source to the index of its former slot, or -1 for new slots. Calculated once for all languages. */
export function followSlots(before: readonly Slot[], after: readonly Slot[]): readonly number[] {
  const origins = new Map<Slot, Slot>();
  const pair = ([slot, old]: readonly [Slot, Slot]): void => void origins.set(slot, old);
  const unpaired = <T extends Slot>(slots: readonly T[], pairedSlots: { has(slot: T): boolean }): T[] =>
    slots.filter((slot) => !pairedSlots.has(slot));
  // Pairs slots that stayed in place between their neighbours, then moved ones, then ones changed in place, then ones both moved and
  // changed.
  const middle = withoutEnds(before, after, pair);
  for (const pairing of pairsOf(middle.after, middle.before, (slot, old) => (isSame(slot, old) ? 1 : 0))) pair(pairing);
  const oldByKey = new Map<string, Slot[]>();
  for (const old of unpaired(before, new Set(origins.values())))
    oldByKey.set(keyOf(old), [...(oldByKey.get(keyOf(old)) ?? []), old]);
  for (const slot of unpaired(after, origins)) {
    const old = oldByKey.get(keyOf(slot))?.shift();
    if (old) pair([slot, old]);
  }
  pairGaps(before, after, origins);
  const removed = unpaired(before, new Set(origins.values()));
  for (const slot of unpaired(after, origins)) {
    const oldIndex = removed.findIndex((old) => old.kind === slot.kind && similarity(old.text, slot.text) > 0.6);
    const [old] = oldIndex < 0 ? [] : removed.splice(oldIndex, 1);
    if (old) pair([slot, old]);
  }
  const places = new Map(before.map((slot, index) => [slot, index]));
  return after.map((slot) => places.get(origins.get(slot) ?? slot) ?? -1);
}

/** Returns a language's terms for the new source. */
export function followTerms(
  { terms, gone: removed }: LanguageTerms,
  before: readonly Slot[],
  after: readonly Slot[],
  origins: readonly number[],
): LanguageTerms {
  const remembered = new Map(Object.entries(removed));
  const survivingIndexes = new Set(origins);
  // A duplicated block has the same translations.
  const copied = new Map(before.map((slot, index) => [keyOf(slot), terms[index] ?? null]));
  for (const [index, slot] of before.entries()) {
    const text = textOfTerm(terms[index] ?? null);
    if (!survivingIndexes.has(index) && text !== null && slot.kind === 'text') remembered.set(slot.text, text);
  }
  const followed = after.map((slot, index): Term => {
    const old = before[origins[index] ?? -1];
    if (old) return followTerm(terms[origins[index] ?? -1] ?? null, old.text, slot);
    const restored = remembered.get(slot.text);
    remembered.delete(slot.text);
    return restored ?? copied.get(keyOf(slot)) ?? null;
  });
  return { terms: followed, gone: Object.fromEntries([...remembered].slice(-maxRemoved)) };
}

/** Returns the index of the slot whose text replaced `formerText` and hasn't been translated since, or -1. */
export function changedSlot(slots: readonly Slot[], terms: readonly Term[], formerText: string): number {
  const outdatedIndex = terms.findIndex((term) => typeof term === 'object' && term?.[1] === formerText);
  if (outdatedIndex >= 0) return outdatedIndex;
  const similarities = slots.map(({ kind, text }, index) =>
    kind === 'text' && (terms[index] ?? null) === null ? similarity(text, formerText) : 0,
  );
  const highest = Math.max(0, ...similarities);
  return highest > 0.4 ? similarities.indexOf(highest) : -1;
}

/** Returns the text of a term, or null. */
export function textOfTerm(term: Term): string | null {
  return term === null || typeof term === 'string' ? term : term[0];
}

function followTerm(term: Term, old: string, { kind, text }: Slot): Term {
  if (term === null || isSameText(old, text)) return term;
  const [translation, translatedFrom] = typeof term === 'string' ? [term, old] : term;
  if (isSameText(translatedFrom, text)) return translation;
  // If the text is now only a number or an address, its former translation is meaningless.
  if (kind !== 'link' && isWordless(plainText(text)) && !isWordless(plainText(translatedFrom))) return null;
  const adapted = kind === 'text' && typeof term === 'string' ? withTagsOf(translation, old, text) : null;
  return adapted ?? [translation, translatedFrom];
}

const tags = /<[^>]*>/g;

/**
 * If only links and formatting changed in a text, applies the change to its translation; returns null if words changed, or if the
 * translation's tags differ.
 */
function withTagsOf(translation: string, old: string, text: string): string | null {
  if (old.replace(tags, '') !== text.replace(tags, '')) return null;
  const [before, after] = [old.match(tags) ?? [], text.match(tags) ?? []];
  if (before.length !== after.length || before.join() !== (translation.match(tags) ?? []).join()) return null;
  let index = 0;
  return translation.replace(tags, () => after[index++] ?? '');
}

function pairGaps(before: readonly Slot[], after: readonly Slot[], origins: Map<Slot, Slot>): void {
  const places = new Map(before.map((slot, index) => [slot, index]));
  const pairedOld = new Set(origins.values());
  for (let position = 0; position < after.length; position++) {
    const gap: Slot[] = [];
    const last = after[position - 1];
    for (let slot = after[position]; slot && !origins.has(slot); slot = after[++position]) gap.push(slot);
    if (gap.length === 0) continue;
    const from = last ? (places.get(origins.get(last) ?? last) ?? -1) + 1 : 0;
    const old: Slot[] = [];
    for (let index = from; index < before.length; index++) {
      const slot = before[index];
      if (!slot || pairedOld.has(slot)) break;
      old.push(slot);
    }
    const isOneForOne = old.length === gap.length && old.every(({ kind }, index) => kind === gap[index]?.kind);
    const weigh = (slot: Slot, oldSlot: Slot): number => {
      const like = slot.kind === oldSlot.kind ? similarity(slot.text, oldSlot.text) : 0;
      return like > 0.4 ? like : 0;
    };
    const pairs = isOneForOne
      ? gap.map((slot, index) => [slot, old[index] ?? slot] as const)
      : pairsOf(gap, old, weigh);
    for (const [slot, oldSlot] of pairs) {
      origins.set(slot, oldSlot);
      pairedOld.add(oldSlot);
    }
  }
}

/** Pairs equal slots at both ends, which are most of them, and returns the rest. */
function withoutEnds(
  before: readonly Slot[],
  after: readonly Slot[],
  pair: (pairing: readonly [Slot, Slot]) => void,
): { before: readonly Slot[]; after: readonly Slot[] } {
  let start = 0;
  let end = 0;
  const maxLength = Math.min(before.length, after.length);
  const pairIfSame = (slot: Slot | undefined, old: Slot | undefined): boolean => {
    if (!slot || !old || !isSame(slot, old)) return false;
    pair([slot, old]);
    return true;
  };
  while (start < maxLength && pairIfSame(after[start], before[start])) start++;
  while (end < maxLength - start && pairIfSame(after[after.length - 1 - end], before[before.length - 1 - end])) end++;
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

function isSame(slot: Slot, old: Slot): boolean {
  return slot.kind === old.kind && slot.name === old.name && isSameText(slot.text, old.text);
}

function keyOf({ kind, name, text }: Slot): string {
  return `${kind} ${name} ${text}`;
}

/** Share of words that two texts have in common, between 0 and 1. */
function similarity(a: string, b: string): number {
  const [words, otherWords] = [wordsOf(a), wordsOf(b)];
  const shared = words.filter((word) => otherWords.includes(word)).length;
  return (2 * shared) / (words.length + otherWords.length || 1);
}

function wordsOf(text: string): string[] {
  return (
    text
      .replace(tags, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
