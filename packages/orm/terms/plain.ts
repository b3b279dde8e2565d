import { z } from 'zod';
import { type Texts, textsOf } from '../write/stored.ts';
import type { Term } from './realign.ts';

/** A plain text in all its languages. */
export interface PlainTexts {
  /** The language that the others translate. */
  readonly source: string;
  readonly text: string;
  /** Translations into other languages; outdated ones with the source text they translate. */
  readonly languages: ReadonlyMap<string, Exclude<Term, null>>;
}

/** Stored with the texts if these don't contain all information. */
const notes = z.object({
  source: z.string().optional(),
  /** Source texts of outdated translations. */
  was: z.record(z.string(), z.string()).optional(),
});

function notesOf(stored: unknown): z.infer<typeof notes> {
  const raw =
    typeof stored === 'object' && stored !== null && '_terms' in stored ? notes.safeParse(stored._terms) : null;
  return raw?.success ? raw.data : {};
}

/** Parses the stored value of a translated plain-text field; returns null if it is empty. */
export function plainTextsOf(stored: unknown, fallback: string): PlainTexts | null {
  const texts = textsOf(stored);
  const { source = fallback, was: outdatedSources = {} } = notesOf(stored);
  const text = texts[source];
  if (text === undefined) return null;
  const languages = new Map<string, Exclude<Term, null>>();
  for (const [lang, translation] of Object.entries(texts)) {
    // If another language is the source, the default language only has a copy of its text.
    if (lang === source || lang === fallback) continue;
    const translatedFrom = outdatedSources[lang];
    languages.set(lang, translatedFrom === undefined ? translation : [translation, translatedFrom]);
  }
  return { source, text, languages };
}

/**
 * Applies changes to plain texts; returns null if none is left.
 *
 * A field with any text has one in the default language, because all others fall back to it: the first text in another language is copied
 * there until the default language gets its own. Emptying the default language empties the field; emptying another language makes it fall
 * back.
 *
 * ```
 * stored { en_US: 'Name', fr_FR: 'Nom', _terms: { was: { fr_FR: 'Surname' } } }    the source changed after it was translated
 * stored { en_US: 'Nom', fr_FR: 'Nom', _terms: { source: 'fr_FR' } }               written in French, and not yet in English
 * ```
 */
export function mergePlain(stored: unknown, changes: ReadonlyMap<string, unknown>, fallback: string): Texts | null {
  const storedTexts = textsOf(stored);
  const { source: formerSource = fallback, was: outdated = {} } = notesOf(stored);
  const texts = new Map(Object.entries(storedTexts));
  for (const [lang, text] of changes) {
    if (typeof text === 'string') texts.set(lang, text);
    else texts.delete(lang);
  }
  let source = typeof changes.get(fallback) === 'string' || !texts.has(formerSource) ? fallback : formerSource;
  if (!texts.has(fallback)) {
    const first = [...changes].find(([, text]) => typeof text === 'string');
    if (!first) return null;
    [source] = first;
  }
  const text = texts.get(source);
  if (text === undefined) return null;
  texts.set(fallback, text);
  const formerText = source === formerSource ? storedTexts[formerSource] : undefined;
  const outdatedEntries = [...texts.keys()].flatMap((lang): [string, string][] => {
    if (lang === source || lang === fallback || changes.has(lang)) return [];
    const translatedFrom = outdated[lang] ?? formerText;
    return translatedFrom === undefined || translatedFrom === text ? [] : [[lang, translatedFrom]];
  });
  const sorted = Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
  const termNotes = {
    ...(source === fallback ? {} : { source }),
    ...(outdatedEntries.length === 0 ? {} : { was: Object.fromEntries(outdatedEntries) }),
  };
  return Object.keys(termNotes).length === 0 ? sorted : ({ ...sorted, _terms: termNotes } as unknown as Texts);
}
