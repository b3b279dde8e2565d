import { isLanguageCode } from '@pergola/texts';
import type { CompiledField } from '../compiled.ts';
import { changedTerms, mergeMarkup, type TermChange } from '../terms/kept.ts';
import { mergePlain } from '../terms/plain.ts';
import { normalize } from './normalize.ts';
import { FieldProblem } from './problems.ts';
import type { Texts } from './stored.ts';

/** Changed texts by language; null removes a language's text. For markup also single texts in it. */
export type TextChanges = ReadonlyMap<string, string | null | readonly TermChange[]>;

/** Languages of a write. */
export interface Languages {
  /** The context's language, used for plain texts. */
  readonly current: string;
  /** The language that others fall back to. */
  readonly fallback: string;
  /** Whether a translation of markup with more parts than its source is rejected; for shipped records these parts are dropped. */
  readonly strict: boolean;
}

/**
 * Parses the value of a translated field: a text in the current language, or `{ lang: text }`; for markup also `{ lang: { terms: [{ at,
 * source, text }] } }`, and `{ source: lang }` to make a language the source of the structure.
 *
 * @throws FieldProblem for an invalid text, or a key that isn't a language.
 */
export function parseTexts(field: CompiledField, value: unknown, languages: Languages): TextChanges {
  if (typeof value !== 'object' || value === null) {
    return new Map([[languages.current, normalize(field, value) as string | null]]);
  }
  const changes = new Map<string, string | null | readonly TermChange[]>();
  for (const [name, text] of Object.entries(value)) {
    const lang = name === 'source' && field.type === 'html' && typeof text === 'string' ? text : name;
    if (!isLanguageCode(lang)) throw new FieldProblem('Unknown language “{lang}”.', { lang: lang.slice(0, 20) });
    if (lang !== name) {
      changes.set('source', lang);
      continue;
    }
    const terms = field.type === 'html' ? changedTerms(text) : null;
    changes.set(lang, terms ?? (normalize(field, text) as string | null));
  }
  return changes;
}

/**
 * Merges changes into the stored texts; returns null if none is left. Markup has one structure in all languages (`mergeMarkup`);
 * `mergePlain` handles other texts.
 */
export function mergeTexts(
  field: CompiledField,
  stored: unknown,
  changes: TextChanges,
  { fallback, strict }: Languages,
): Texts | null {
  if (field.type === 'html') {
    return mergeMarkup(stored, changes, fallback, {
      strict,
      profile: field.options.sanitize ?? 'page',
      finish: (html) => normalize(field, html) as string | null,
    });
  }
  return mergePlain(stored, changes, fallback);
}
