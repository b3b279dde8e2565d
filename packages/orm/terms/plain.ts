import { z } from 'zod';
import { type Texts, textsOf } from '../write/stored.ts';
import type { Term } from './realign.ts';

/** A plain text in all its languages. */
export interface PlainTexts {
  /** The language that the others translate. */
  readonly source: string;
  readonly text: string;
  /** The other languages that have their own; with what it was made from where the source says something else by now. */
  readonly languages: ReadonlyMap<string, Exclude<Term, null>>;
}

/** Kept beside the texts where these do not say it all. */
const notes = z.object({
  source: z.string().optional(),
  /** Of outdated translations what the source said. */
  was: z.record(z.string(), z.string()).optional(),
});

function notesOf(kept: unknown): z.infer<typeof notes> {
  const raw = typeof kept === 'object' && kept !== null && '_terms' in kept ? notes.safeParse(kept._terms) : null;
  return raw?.success ? raw.data : {};
}

/** What is kept of a translated field that holds plain text; null for nothing. */
export function plainTextsOf(kept: unknown, fallback: string): PlainTexts | null {
  const texts = textsOf(kept);
  const { source = fallback, was = {} } = notesOf(kept);
  const text = texts[source];
  if (text === undefined) return null;
  const languages = new Map<string, Exclude<Term, null>>();
  for (const [lang, own] of Object.entries(texts)) {
    // Where another language is the source, the default one only stands in for it.
    if (lang === source || lang === fallback) continue;
    const former = was[lang];
    languages.set(lang, former === undefined ? own : [own, former]);
  }
  return { source, text, languages };
}

/**
 * Plain texts with changes over them; null when none is left.
 *
 * Whatever has a text has one in the default language, since all others fall back to it: the first text somebody writes stands in for it, and goes on
 * doing so until it gets one of its own. Emptying the default language empties the field; emptying another language makes it fall back.
 *
 * ```
 * kept   { en_US: 'Name', fr_FR: 'Nom', _terms: { was: { fr_FR: 'Surname' } } }    the source changed after it was translated
 * kept   { en_US: 'Nom', fr_FR: 'Nom', _terms: { source: 'fr_FR' } }               written in French, and not yet in English
 * ```
 */
export function mergePlain(kept: unknown, changes: ReadonlyMap<string, unknown>, fallback: string): Texts | null {
  const before = textsOf(kept);
  const { source: former = fallback, was: outdated = {} } = notesOf(kept);
  const texts = new Map(Object.entries(before));
  for (const [lang, text] of changes) {
    if (typeof text === 'string') texts.set(lang, text);
    else texts.delete(lang);
  }
  let source = typeof changes.get(fallback) === 'string' || !texts.has(former) ? fallback : former;
  if (!texts.has(fallback)) {
    const first = [...changes].find(([, text]) => typeof text === 'string');
    if (!first) return null;
    [source] = first;
  }
  const text = texts.get(source);
  if (text === undefined) return null;
  texts.set(fallback, text);
  const told = source === former ? before[former] : undefined;
  const was = [...texts.keys()].flatMap((lang): [string, string][] => {
    if (lang === source || lang === fallback || changes.has(lang)) return [];
    const made = outdated[lang] ?? told;
    return made === undefined || made === text ? [] : [[lang, made]];
  });
  const sorted = Object.fromEntries([...texts].sort(([one], [other]) => (one < other ? -1 : 1)));
  const beside = {
    ...(source === fallback ? {} : { source }),
    ...(was.length === 0 ? {} : { was: Object.fromEntries(was) }),
  };
  return Object.keys(beside).length === 0 ? sorted : ({ ...sorted, _terms: beside } as unknown as Texts);
}
