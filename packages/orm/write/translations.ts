import { isLanguageCode } from '@pergola/texts';
import type { CompiledField } from '../compiled.ts';
import { changedTerms, mergeMarkup, type TermChange } from '../terms/kept.ts';
import { mergePlain } from '../terms/plain.ts';
import { normalize } from './normalize.ts';
import { FieldProblem } from './problems.ts';
import type { Texts } from './stored.ts';

/** Texts to keep by language; null takes a language's text away. Of markup also the texts in it that change. */
export type TextChanges = ReadonlyMap<string, string | null | readonly TermChange[]>;

/** In which languages a write speaks. */
export interface Languages {
  /** The context's; a plain text is in it. */
  readonly current: string;
  /** The one others fall back to. */
  readonly fallback: string;
  /** Whether a translation of markup that has more than its source is refused; what addons ship keeps what fits. */
  readonly strict: boolean;
}

/**
 * What a translated field is given: a text in the current language, or `{ lang: text }`; of markup also
 * `{ lang: { terms: [{ at, source, text }] } }`, and `{ source: lang }` for the language whose structure it has from then on.
 *
 * @throws FieldProblem for a text that does not fit, or a key that is no language.
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
 * The kept texts with the changes over them; null when none is left. Markup has one structure in all languages (`mergeMarkup`); `mergePlain` for the others.
 */
export function mergeTexts(
  field: CompiledField,
  kept: unknown,
  changes: TextChanges,
  { fallback, strict }: Languages,
): Texts | null {
  if (field.type === 'html') {
    return mergeMarkup(kept, changes, fallback, {
      strict,
      profile: field.options.sanitize ?? 'page',
      finish: (html) => normalize(field, html) as string | null,
    });
  }
  return mergePlain(kept, changes, fallback);
}
