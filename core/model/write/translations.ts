import { isLanguageCode } from '../../i18n/index.ts';
import type { CompiledField } from '../compiled.ts';
import { normalize } from './normalize.ts';
import { FieldProblem } from './problems.ts';
import { type Texts, textsOf } from './stored.ts';

/** Texts to keep by language; null takes a language's text away. */
export type TextChanges = ReadonlyMap<string, string | null>;

/** In which languages a write speaks. */
export interface Languages {
  /** The context's; a plain text is in it. */
  readonly current: string;
  /** The one others fall back to. */
  readonly fallback: string;
}

/**
 * What a translated field is given: a text in the current language, or `{ lang: text }`.
 *
 * @throws FieldProblem for a text that does not fit, or a key that is no language.
 */
export function parseTexts(field: CompiledField, value: unknown, languages: Languages): TextChanges {
  if (typeof value !== 'object' || value === null) {
    return new Map([[languages.current, normalize(field, value) as string | null]]);
  }
  const changes = new Map<string, string | null>();
  for (const [lang, text] of Object.entries(value)) {
    if (!isLanguageCode(lang)) throw new FieldProblem('“{lang}” is not a language.', { lang: lang.slice(0, 20) });
    changes.set(lang, normalize(field, text) as string | null);
  }
  return changes;
}

/**
 * The kept texts with the changes over them; null when none is left.
 *
 * Whatever has a text has one in the default language, since all others fall back to it: the first text somebody writes stands in for it,
 * and emptying the default language empties the field. Emptying another language makes it fall back.
 */
export function mergeTexts(kept: unknown, changes: TextChanges, { fallback }: Languages): Texts | null {
  const texts = new Map(Object.entries(textsOf(kept)));
  for (const [lang, text] of changes) {
    if (text === null) texts.delete(lang);
    else texts.set(lang, text);
  }
  const given = [...changes.values()].find((text) => text !== null);
  if (!texts.has(fallback)) {
    if (given === undefined || given === null) return null;
    texts.set(fallback, given);
  }
  return Object.fromEntries([...texts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
