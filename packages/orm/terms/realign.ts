import { isSameText, pairsOf } from './match.ts';
import { isWordless, plainText, type Slot } from './split.ts';

/**
 * What a language has for a slot: nothing of its own, a text, or a text with what it was translated from when that says something else by now.
 */
export type Term = string | null | readonly [text: string, was: string];

/** A language's terms, in the order of the source's slots, and what it had for texts that are gone, which may come back. */
export interface LanguageTerms {
  readonly terms: readonly Term[];
  readonly gone: Readonly<Record<string, string>>;
}

/** How many texts that are gone are remembered in a language. */
const mostGone = 200;

/** Which slot of the former source became which of the new one; -1 for new ones. Said once for all languages. */
export function followSlots(before: readonly Slot[], after: readonly Slot[]): readonly number[] {
  const became = new Map<Slot, Slot>();
  const pair = ([slot, old]: readonly [Slot, Slot]): void => void became.set(slot, old);
  const rest = <T extends Slot>(slots: readonly T[], known: { has(slot: T): boolean }): T[] =>
    slots.filter((slot) => !known.has(slot));
  // What stayed where it was between its neighbours, then what moved, then what was changed in its place, then what was moved and changed.
  const middle = withoutEnds(before, after, pair);
  for (const one of pairsOf(middle.after, middle.before, (slot, old) => (isSame(slot, old) ? 1 : 0))) pair(one);
  const olds = new Map<string, Slot[]>();
  for (const old of rest(before, new Set(became.values())))
    olds.set(keyOf(old), [...(olds.get(keyOf(old)) ?? []), old]);
  for (const slot of rest(after, became)) {
    const old = olds.get(keyOf(slot))?.shift();
    if (old) pair([slot, old]);
  }
  pairGaps(before, after, became);
  const gone = rest(before, new Set(became.values()));
  for (const slot of rest(after, became)) {
    const found = gone.findIndex((old) => old.kind === slot.kind && similarity(old.text, slot.text) > 0.6);
    const [old] = found < 0 ? [] : gone.splice(found, 1);
    if (old) pair([slot, old]);
  }
  const places = new Map(before.map((slot, index) => [slot, index]));
  return after.map((slot) => places.get(became.get(slot) ?? slot) ?? -1);
}

/** A language's terms for the new source. */
export function followTerms(
  { terms, gone }: LanguageTerms,
  before: readonly Slot[],
  after: readonly Slot[],
  became: readonly number[],
): LanguageTerms {
  const left = new Map(Object.entries(gone));
  const kept = new Set(became);
  // A block that is there twice now says the same in each language, too.
  const copied = new Map(before.map((slot, index) => [keyOf(slot), terms[index] ?? null]));
  for (const [index, slot] of before.entries()) {
    const text = textOfTerm(terms[index] ?? null);
    if (!kept.has(index) && text !== null && slot.kind === 'text') left.set(slot.text, text);
  }
  const followed = after.map((slot, index): Term => {
    const old = before[became[index] ?? -1];
    if (old) return followTerm(terms[became[index] ?? -1] ?? null, old.text, slot);
    const back = left.get(slot.text);
    left.delete(slot.text);
    return back ?? copied.get(keyOf(slot)) ?? null;
  });
  return { terms: followed, gone: Object.fromEntries([...left].slice(-mostGone)) };
}

/** The slot with what a text became that was changed meanwhile, and that nobody has translated since; -1 where there is none. */
export function changedSlot(slots: readonly Slot[], terms: readonly Term[], was: string): number {
  const known = terms.findIndex((term) => typeof term === 'object' && term?.[1] === was);
  if (known >= 0) return known;
  const alike = slots.map(({ kind, text }, at) =>
    kind === 'text' && (terms[at] ?? null) === null ? similarity(text, was) : 0,
  );
  const most = Math.max(0, ...alike);
  return most > 0.4 ? alike.indexOf(most) : -1;
}

/** What a term says in its language; null for one that is not there. */
export function textOfTerm(term: Term): string | null {
  return term === null || typeof term === 'string' ? term : term[0];
}

function followTerm(term: Term, old: string, { kind, text }: Slot): Term {
  if (term === null || isSameText(old, text)) return term;
  const [own, was] = typeof term === 'string' ? [term, old] : term;
  if (isSameText(was, text)) return own;
  // Where words became a number or an address, what they were called says nothing any more.
  if (kind !== 'link' && isWordless(plainText(text)) && !isWordless(plainText(was))) return null;
  const adapted = kind === 'text' && typeof term === 'string' ? withTagsOf(own, old, text) : null;
  return adapted ?? [own, was];
}

const tags = /<[^>]*>/g;

/** Where only links and looks within a text changed, they change in its translation too; null where its words did, or the translation has others. */
function withTagsOf(own: string, old: string, text: string): string | null {
  if (old.replace(tags, '') !== text.replace(tags, '')) return null;
  const [before, after] = [old.match(tags) ?? [], text.match(tags) ?? []];
  if (before.length !== after.length || before.join() !== (own.match(tags) ?? []).join()) return null;
  let index = 0;
  return own.replace(tags, () => after[index++] ?? '');
}

function pairGaps(before: readonly Slot[], after: readonly Slot[], became: Map<Slot, Slot>): void {
  const places = new Map(before.map((slot, index) => [slot, index]));
  const taken = new Set(became.values());
  for (let at = 0; at < after.length; at++) {
    const gap: Slot[] = [];
    const last = after[at - 1];
    for (let slot = after[at]; slot && !became.has(slot); slot = after[++at]) gap.push(slot);
    if (gap.length === 0) continue;
    const from = last ? (places.get(became.get(last) ?? last) ?? -1) + 1 : 0;
    const old: Slot[] = [];
    for (let index = from; index < before.length; index++) {
      const slot = before[index];
      if (!slot || taken.has(slot)) break;
      old.push(slot);
    }
    const isOneForOne = old.length === gap.length && old.every(({ kind }, index) => kind === gap[index]?.kind);
    const alike = (slot: Slot, other: Slot): number => {
      const like = slot.kind === other.kind ? similarity(slot.text, other.text) : 0;
      return like > 0.4 ? like : 0;
    };
    const pairs = isOneForOne
      ? gap.map((slot, index) => [slot, old[index] ?? slot] as const)
      : pairsOf(gap, old, alike);
    for (const [slot, other] of pairs) {
      became.set(slot, other);
      taken.add(other);
    }
  }
}

/** Without what is the same at both ends, which is most of it. */
function withoutEnds(
  before: readonly Slot[],
  after: readonly Slot[],
  pair: (one: readonly [Slot, Slot]) => void,
): { before: readonly Slot[]; after: readonly Slot[] } {
  let start = 0;
  let end = 0;
  const most = Math.min(before.length, after.length);
  const same = (slot: Slot | undefined, old: Slot | undefined): boolean => {
    if (!slot || !old || !isSame(slot, old)) return false;
    pair([slot, old]);
    return true;
  };
  while (start < most && same(after[start], before[start])) start++;
  while (end < most - start && same(after[after.length - 1 - end], before[before.length - 1 - end])) end++;
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

function isSame(slot: Slot, old: Slot): boolean {
  return slot.kind === old.kind && slot.name === old.name && isSameText(slot.text, old.text);
}

function keyOf({ kind, name, text }: Slot): string {
  return `${kind} ${name} ${text}`;
}

/** Between 0 and 1: how many words two texts share. */
function similarity(one: string, other: string): number {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const shared = words.filter((word) => others.includes(word)).length;
  return (2 * shared) / (words.length + others.length || 1);
}

function wordsOf(text: string): string[] {
  return (
    text
      .replace(tags, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
